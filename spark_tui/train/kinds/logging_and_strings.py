"""Logging, f-strings and files: print to logging, log lines, % and format, open with `with`, pathlib."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.imports import insert_import
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Change, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/text")

_LEVELS = ("debug", "info", "warning", "error")


def _prints(window: SourceWindow) -> list[ast.Expr]:
    return [
        n
        for n in window.nodes
        if isinstance(n, ast.Expr)
        and isinstance(n.value, ast.Call)
        and isinstance(n.value.func, ast.Name)
        and n.value.func.id == "print"
        and len(n.value.args) == 1
        and not n.value.keywords
        and n.lineno == n.end_lineno
    ]


@kind(
    "print_to_logging",
    *wording["to_logging"],
    needs=r"print\(|\b(logger|log|logging)\.(debug|info|warning|error)\(",
    weight=1.2,
)
def print_to_logging(window: SourceWindow, draw: Draw) -> Made | None:
    spots = _prints(window)
    found: list[ast.Call] = []
    if spots:
        level = draw.choice(_LEVELS)
        target = f"{draw.choice(['logger', 'logger', 'logging', 'log', 'self.logger'])}.{level}"
        if len(spots) != window.text.count("print(") or len(spots) > 5:
            return None
        changes: list[Change] = []
        for node in spots:
            start, _ = window.span(node)
            changes.append((start, start + 5, target))
        before, after = window.text, apply_changes(window.text, changes)
    else:
        found = [
            n
            for n in window.nodes
            if isinstance(n, ast.Call)
            and re.fullmatch(
                r"(self\.)?_?(logger|log|logging)\.(debug|info|warning|error)", window.source(n.func)
            )
        ]
        targets = {window.source(n.func) for n in found}
        if (
            len(targets) != 1
            or any(len(n.args) != 1 or n.keywords for n in found)
            or len(found) > 5
            or "print(" in window.text
        ):
            return None
        target = targets.pop()
        before = apply_changes(window.text, [(*window.span(n.func), "print") for n in found])
        after = window.text
    holders = {window.function_of(n) for n in (spots or found)}
    where = inside(window, holders.pop(), draw) if len(holders) == 1 else WordsSlot("")
    phrases = wording["to_plain_logging"] if target == "logging.info" else wording["to_logging"]
    return Made(before, after, {"call": NameSlot(target), **placed(where)}, phrases)


@kind(
    "add_log",
    *wording["add_log"],
    weight=0.6,
)
def add_log(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        body = window.body_after_docstring(function)
        if not body or not window.own_lines(body[0]):
            continue
        target = (
            f"{draw.choice(['logger', 'logger', 'logging', 'log', 'self.logger', 'self.log'])}."
            f"{draw.choice(_LEVELS)}"
        )
        message = draw.choice(
            [draw.choice(draw.pools.strings), f"entering {function.name}", f"{function.name} called"]
        )
        code = f'{target}("{message}")'
        at = window.starts[window.first_line(body[0]) - 1]
        after = window.text[:at] + window.indent(body[0]) + code + "\n" + window.text[at:]
        slots: dict[str, Slot] = {
            "m": ExactSlot(message, quoted=True),
            "t": NameSlot(target),
            "code": CodeSlot(code),
            "f": fname(function),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "log_in_except",
    *wording["log_in_except"],
    needs=r"except",
    weight=1.2,
)
def log_in_except(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.ExceptHandler)]):
        function = window.function_of(node)
        scope = function or window.tree
        if sum(isinstance(n, ast.ExceptHandler) for n in ast.walk(scope)) != 1 or not window.own_lines(
            node.body[0]
        ):
            continue
        message = draw.choice([draw.choice(draw.pools.strings), "failed", "unexpected error"])
        target = draw.choice(["logger", "logging", "log", "self.logger"])
        code = f'{target}.{draw.choice(["exception", "exception", "error", "warning"])}("{message}")'
        first = node.body[0]
        at = window.starts[window.first_line(first) - 1]
        if isinstance(first, ast.Pass) and len(node.body) == 1:
            start, end = window.span(first)
            after = window.text[:start] + code + window.text[end:]
        else:
            after = window.text[:at] + window.indent(first) + code + "\n" + window.text[at:]
        return Made(window.text, after, {"code": CodeSlot(code), **placed(inside(window, function, draw))})
    return None


_TEXTUAL = re.compile(r"[\w.]*(?:name|path|text|title|message|msg|url|host|label|key|prefix|suffix|word)")
"""Names of strings, which people add to strings as they are."""
_LONGEST = 70
"""Characters of an f-string that a small model can be asked to write again."""


def _fields(node: ast.JoinedStr, source: str) -> list[tuple[str, str]] | None:
    """An f-string of plain names and attributes as (text, expression) pairs; the last has no expression."""
    match = re.fullmatch(r'f(["\'])((?:[^"\'\\{}]|\{[\w.\[\]()]+\})*)\1', source)
    if not match or not any(isinstance(part, ast.FormattedValue) for part in node.values):
        return None
    out, rest = [], match[2]
    while "{" in rest:
        text, _, rest = rest.partition("{")
        expression, _, rest = rest.partition("}")
        out.append((text, expression))
    return [*out, (rest, "")]


@kind("to_fstring", *wording["to_fstring"], needs=r"\bf[\"']", weight=3.4)
def to_fstring(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces %, format or + by an f-string. The window has the f-string; the text before is written in one
    of the older forms."""
    found = [n for n in window.nodes if isinstance(n, ast.JoinedStr) and n.lineno == n.end_lineno]
    for node in draw.shuffled(found):
        parent = window.parents.get(node)
        if not isinstance(parent, ast.Call | ast.Assign | ast.Return | ast.keyword):
            continue
        line = window.lines[node.lineno - 1]
        match = next((m for m in re.finditer(r"""\bf(["'])(?:(?!\1)[^\\\n])*\1""", line)), None)
        if match is None or line.count("f" + match[1]) != 1:
            continue
        parts = _fields(node, match[0])
        if parts is None or len(parts) > 4 or "%" in match[0] or len(match[0]) > _LONGEST:
            continue
        quote = match[1]
        names = [expression for _, expression in parts if expression]
        form, bare = draw.choice(["percent", "format", "plus"]), False
        if form == "percent":
            body = "%s".join(text for text, _ in parts)
            values = names[0] if len(names) == 1 else "(" + ", ".join(names) + ")"
            old = f"{quote}{body}{quote} % {values}"
        elif form == "format":
            body = "{}".join(text for text, _ in parts)
            old = f"{quote}{body}{quote}.format({', '.join(names)})"
        else:
            terms: list[str] = []
            bare = all(_TEXTUAL.fullmatch(name) for name in names) and draw.chance(0.5)
            for text, expression in parts:
                terms += [f"{quote}{text}{quote}"] if text else []
                terms += [expression if bare else f"str({expression})"] if expression else []
            old = " + ".join(terms)
            if len(terms) < 2:
                continue
        before = (
            window.text[: window.starts[node.lineno - 1]]
            + line[: match.start()]
            + old
            + line[match.end() :]
            + window.text[window.starts[node.lineno] - 1 :]
        )
        function = window.function_of(node)
        others = len(re.findall(r'" %|\' %|\.format\(|" \+ |\' \+ |\+ "', before)) > (
            1 if form != "plus" else len(parts) * 2
        )
        role = WordsSlot(
            draw.choice(
                [f"line {node.lineno}", f"the string on line {node.lineno}", "the string"]
                if not others
                else [f"line {node.lineno}"]
            )
        )
        where: Slot = (
            WordsSlot(f" on line {node.lineno}")
            if others or draw.chance(0.4)
            else inside(window, function, draw)
        )
        manner = {"percent": "% formatting", "format": ".format()", "plus": "string concatenation"}[form]
        slots: dict[str, Slot] = {
            "what": role,
            "line": WordsSlot(f"line {node.lineno}"),
            "m": WordsSlot(manner),
            **placed(where),
        }
        if draw.chance(0.2) and not bare:
            return Made(window.text, before, slots, wording["from_fstring"])
        return Made(before, window.text, slots)
    return None


@kind(
    "open_to_with",
    *wording["open_to_with"],
    needs=r"with open\(",
    weight=2.2,
)
def open_to_with(window: SourceWindow, draw: Draw) -> Made | None:
    """The result is the window; in the text before, the file is opened by assignment and perhaps closed at
    the end."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.With)]):
        item = node.items[0]
        if (
            len(node.items) != 1
            or not isinstance(item.optional_vars, ast.Name)
            or node.lineno != node.body[0].lineno - 1
        ):
            continue
        call = window.source(item.context_expr)
        last = window.last_line(node)
        if (
            not call.startswith("open(")
            or "\n" in call
            or window.text.count("with open(") != 1
            or last - node.lineno > 8
        ):
            continue
        if any(
            isinstance(n, ast.Constant) and isinstance(n.value, str) and "\n" in window.source(n)
            for n in ast.walk(node)
        ):
            continue
        indent, name = window.indent(node), item.optional_vars.id
        body = [line[4:] if line.strip() else line for line in window.lines[node.lineno : last]]
        ends = isinstance(node.body[-1], ast.Return | ast.Raise)
        close = [f"{indent}{name}.close()"] if not ends and draw.chance(0.75) else []
        lines = [
            *window.lines[: node.lineno - 1],
            f"{indent}{name} = {call}",
            *body,
            *close,
            *window.lines[last:],
        ]
        where = inside(window, window.function_of(node), draw)
        slots: dict[str, Slot] = {"h": NameSlot(name), "o": ExactSlot(name), **placed(where)}
        return Made("\n".join(lines) + "\n", window.text, slots, block=True)
    return None


_PATHS = {
    "os.path.exists": "{0}.exists()",
    "os.path.isfile": "{0}.is_file()",
    "os.path.isdir": "{0}.is_dir()",
    "os.path.isabs": "{0}.is_absolute()",
    "os.path.basename": "{0}.name",
    "os.path.dirname": "{0}.parent",
    "os.path.abspath": "{0}.resolve()",
    "os.path.expanduser": "{0}.expanduser()",
    "os.path.getsize": "{0}.stat().st_size",
    "os.makedirs": "{0}.mkdir(parents=True)",
    "os.mkdir": "{0}.mkdir()",
    "os.rmdir": "{0}.rmdir()",
    "os.remove": "{0}.unlink()",
    "os.unlink": "{0}.unlink()",
}
_PATH_IMPORT = "from pathlib import Path"


def _as_path(window: SourceWindow, call: ast.Call) -> str | None:
    """The pathlib expression for a call of `os` on one path, or for a join."""
    name, args = window.source(call.func), [window.source(item) for item in call.args]
    plain = all(isinstance(item, ast.Name | ast.Attribute | ast.Constant) for item in call.args)
    options = [window.source(item) for item in call.keywords]
    if not args or not plain or call.lineno != call.end_lineno:
        return None
    first = f"Path({args[0]})"
    if name == "os.path.join" and 2 <= len(args) <= 4 and not options:
        new = " / ".join([first, *args[1:]])
        return f"({new})" if isinstance(window.parents[call], ast.Attribute | ast.BinOp) else new
    if name == "os.makedirs" and options == ["exist_ok=True"] and len(args) == 1:
        return f"{first}.mkdir(parents=True, exist_ok=True)"
    return _PATHS[name].format(first) if name in _PATHS and len(args) == 1 and not options else None


@kind(
    "to_pathlib",
    *wording["to_pathlib"],
    needs=r"os\.(path\.(join|exists|is|basename|dirname|abspath"
    r"|expanduser|getsize)|makedirs|mkdir|rmdir|remove|unlink)",
    weight=2.2,
)
def to_pathlib(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces one call of `os`. If imports are shown, `Path` is already imported, or the instruction asks
    to import it."""
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call) and re.match(r"os\.(path\.)?\w+$", window.source(n.func))
    ]
    if not calls:
        return None
    call = draw.choice(calls)
    new = _as_path(window, call)
    if new is None or sum(other.lineno == call.lineno for other in calls) > 1:
        return None
    name, line = window.source(call.func), call.lineno
    before, after = window.text, apply_changes(window.text, [(*window.span(call), new)])
    more, moved = "", 0
    imported = any(isinstance(n, ast.Import | ast.ImportFrom) for n in window.tree.body)
    if imported and "Path" not in window.names:
        added = insert_import(SourceWindow(window.path, after), _PATH_IMPORT)
        own = insert_import(window, _PATH_IMPORT)
        if added is None or own is None or line < window.line_at(own.index(_PATH_IMPORT)):
            return None
        if draw.chance(0.5):
            more = "[ and import Path|, import Path too| (import Path)|, with the import]"
        else:
            before, moved = own, 1
        after = added
    shown = SourceWindow(window.path, before)
    place = f" on line {line + moved}" if len(calls) > 1 or draw.chance(0.3) else ""
    slots = {**placed(WordsSlot(place)), "old": NameSlot(name), "line": at_line(shown, line + moved, draw)}
    return Made(before, after, {**slots, "where": SubTemplate(place + more)})

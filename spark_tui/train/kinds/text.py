# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Logging, f-strings and files: print to logging, log lines, % and format, open with `with`, pathlib."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Words
from spark_tui.train.windows import Change, Window, apply_changes

_LEVELS = ("debug", "info", "warning", "error")


def _prints(window: Window) -> list[ast.Expr]:
    return [
        n for n in window.nodes
        if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Name) and n.value.func.id == "print"
        and len(n.value.args) == 1 and not n.value.keywords and n.lineno == n.end_lineno
    ]  # fmt: skip


@kind(
    "print_to_logging",
    "use logging instead of print{where}",
    "replace [the|all|] print[s| calls| statements|] [with|by] {call}{where}",
    "turn the print[s|] into {call}{where}",
    "log instead of printing{where}[ with {call}|]",
    "print -> {call}{where}",
    "convert print to {call}{where}",
    "no print{where}, use {call}",
    "change the print[s|]{where} to {call}",
    "prints should go through {call}{where}",
    needs=r"print\(|\b(logger|log|logging)\.(debug|info|warning|error)\(",
    weight=1.2,
)
def print_to_logging(window: Window, draw: Draw) -> Made | None:
    spots = _prints(window)
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
            n for n in window.nodes
            if isinstance(n, ast.Call) and re.fullmatch(r"(self\.)?_?(logger|log|logging)\.(debug|info|warning|error)", window.source(n.func))
        ]  # fmt: skip
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
    phrases: tuple[str, ...] = ()
    if target == "logging.info" or (target.endswith(".info") and draw.chance(0.0)):
        phrases = (
            "use logging instead of print{where}",
            "replace print with logging{where}",
            "log instead of printing{where}",
        )
    else:
        phrases = _TO_LOGGING
    return Made(before, after, {"call": Name(target), "where": Words("")}, phrases)


_TO_LOGGING = (
    "use {call} instead of print{where}",
    "replace [the|all|] print[s| calls| statements|] [with|by] {call}{where}",
    "turn the print[s|] into {call}{where}",
    "log with {call} instead of printing{where}",
    "print -> {call}{where}",
    "convert print to {call}{where}",
    "change the print[s|]{where} to {call}",
    "no print{where}, use {call}",
    "prints should go through {call}{where}",
)


@kind(
    "add_log",
    "log {m} at the [start|beginning|top] of {f}[ with {t}|]",
    "add a [log line|log message|log call] {code} [at the start of|to the top of] {f}",
    "{f} should log {m} when it [starts|is called] ({t})",
    "add {code} at the [top|start] of {f}",
    "on entry {f} should [call|log] {code}",
    "log entry of {f}: {code}",
    "let {f} say {m} through {t} first",
    weight=1.1,
)
def add_log(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        body = window.body_after_docstring(function)
        if not body or not window.own_lines(body[0]):
            continue
        target = (
            f"{draw.choice(['logger', 'logger', 'logging', 'log', 'self.logger', 'self.log'])}.{draw.choice(_LEVELS)}"
        )
        message = draw.choice([draw.choice(draw.pools.strings), f"entering {function.name}", f"{function.name} called"])
        code = f'{target}("{message}")'
        at = window.starts[window.first_line(body[0]) - 1]
        after = window.text[:at] + window.indent(body[0]) + code + "\n" + window.text[at:]
        phrases = tuple(p.replace("[ with {t}|]", " with {t}") for p in _LOG)
        return Made(
            window.text,
            after,
            {"m": Exact(message, quoted=True), "t": Name(target), "code": Code(code), "f": fname(function)},
            phrases,
        )
    return None


_LOG = (
    "log {m} at the [start|beginning|top] of {f} with {t}",
    "add a [log line|log message|log call] {code} [at the start of|to the top of] {f}",
    "{f} should log {m} when it [starts|is called], with {t}",
    "add {code} at the [top|start] of {f}",
    "log entry of {f}: {code}",
    "on entry {f} should [call|run] {code}",
    "let {f} say {m} through {t} first",
)


@kind(
    "log_in_except",
    "log [the error|the exception|it] {how}in the except [block|clause|]{where}",
    "add {code} to the except [block|clause]{where}",
    "the except{where} should [call|do] {code}[ first|]",
    "[in|inside] the exception handler{where} add {code}",
    "call {code} when the exception is caught{where}",
    "errors are swallowed{where}, add {code} to the handler",
    needs=r"except",
    weight=0.8,
)
def log_in_except(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.ExceptHandler)]):
        function = window.function_of(node)
        scope = function or window.tree
        if sum(isinstance(n, ast.ExceptHandler) for n in ast.walk(scope)) != 1 or not window.own_lines(node.body[0]):
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
        return Made(window.text, after, {"code": Code(code), "where": inside(window, function, draw)}, _EXCEPT)
    return None


_EXCEPT = (
    "log the [error|exception] with {code} in the except [block|clause]{where}",
    "add {code} to the except [block|clause]{where}",
    "the except{where} should [call|do] {code}[ first|]",
    "[in|inside] the exception handler{where} add {code}",
    "call {code} when the exception is caught{where}",
    "errors are swallowed{where}, add {code} to the handler",
)


_FSTRING = (
    "use [an|] f-string[s|]{where}",
    "convert {what} to an f-string",
    "turn {what} into an f-string",
    "make {what} an f-string",
    "rewrite [the formatting|the string] {where} as [an|] f-string",
    "f-string [on|in] {line}",
    "replace the [% formatting|old formatting] {where} [with|by] an f-string",
    "{what} should be an f-string",
    "modernise the string formatting{where}",
)


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


@kind("to_fstring", *_FSTRING, needs=r"\bf[\"']", weight=1.6)
def to_fstring(window: Window, draw: Draw) -> Made | None:
    """The window holds the answer; what stood there before is written with %, format or +."""
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
        if parts is None or len(parts) > 4 or "%" in match[0]:
            continue
        quote = match[1]
        names = [expression for _, expression in parts if expression]
        form = draw.choice(["percent", "format", "plus"])
        if form == "percent":
            body = "%s".join(text for text, _ in parts)
            values = names[0] if len(names) == 1 else "(" + ", ".join(names) + ")"
            old = f"{quote}{body}{quote} % {values}"
        elif form == "format":
            body = "{}".join(text for text, _ in parts)
            old = f"{quote}{body}{quote}.format({', '.join(names)})"
        else:
            terms: list[str] = []
            for text, expression in parts:
                terms += [f"{quote}{text}{quote}"] if text else []
                terms += [f"str({expression})"] if expression else []
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
        role = Words(
            draw.choice(
                [f"line {node.lineno}", f"the string on line {node.lineno}", "the string"]
                if not others
                else [f"line {node.lineno}"]
            )
        )
        where: Slot = Words(f" on line {node.lineno}") if others or draw.chance(0.4) else inside(window, function, draw)
        slots: dict[str, Slot] = {"what": role, "where": where, "line": Words(f"line {node.lineno}")}
        if draw.chance(0.2):
            phrases = tuple(p.replace("an f-string", "{m}").replace("[an|] f-string[s|]", "{m}") for p in _BACK)
            slots["m"] = Words({"percent": "% formatting", "format": ".format()", "plus": "string concatenation"}[form])
            return Made(window.text, before, slots, phrases)
        return Made(before, window.text, slots)
    return None


_BACK = (
    "use {m} instead of the f-string{where}",
    "replace the f-string{where} [with|by] {m}",
    "no f-string{where}, use {m}",
    "change the f-string{where} to {m}",
    "rewrite the f-string{where} with {m}",
    "{m} instead of an f-string{where}[, please|]",
)


@kind(
    "open_to_with",
    "use [a|] with [statement|block|] [for|to open] the file{where}",
    "open the file with a with [statement|block]{where}",
    "use a context manager for the file{where}",
    "use with open{where}",
    "the file [is never|must be] closed{where}, use with",
    "wrap the open{where} in a with [statement|block]",
    "make sure the file is closed{where}",
    needs=r"with open\(",
    weight=0.8,
)
def open_to_with(window: Window, draw: Draw) -> Made | None:
    """The answer is the window; before it, the file is opened by assignment and closed (or not) at the end."""
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
            or last - node.lineno > 12
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
        lines = [*window.lines[: node.lineno - 1], f"{indent}{name} = {call}", *body, *close, *window.lines[last:]]
        return Made("\n".join(lines) + "\n", window.text, {"where": inside(window, window.function_of(node), draw)})
    return None


_PATHS = {
    r"os\.path\.join\(([\w.]+), ([\w.\"']+)\)": "Path({0}) / {1}",
    r"os\.path\.exists\(([\w.]+)\)": "Path({0}).exists()",
    r"os\.path\.isfile\(([\w.]+)\)": "Path({0}).is_file()",
    r"os\.path\.isdir\(([\w.]+)\)": "Path({0}).is_dir()",
    r"os\.path\.basename\(([\w.]+)\)": "Path({0}).name",
    r"os\.path\.dirname\(([\w.]+)\)": "Path({0}).parent",
    r"os\.makedirs\(([\w.]+)\)": "Path({0}).mkdir(parents=True)",
    r"os\.mkdir\(([\w.]+)\)": "Path({0}).mkdir()",
    r"os\.remove\(([\w.]+)\)": "Path({0}).unlink()",
    r"os\.unlink\(([\w.]+)\)": "Path({0}).unlink()",
    r"os\.listdir\(([\w.]+)\)": "list(Path({0}).iterdir())",
}


@kind(
    "to_pathlib",
    "use pathlib{where}",
    "use pathlib instead of os.path{where}",
    "replace {old} [with|by] pathlib{where}",
    "convert {line} to pathlib",
    "rewrite {old} with Path{where}",
    "[on|in] {line} use [Path|pathlib]",
    "{old} -> pathlib{where}",
    "pathlib rather than os{where}",
    needs=r"os\.(path\.(join|exists|isfile|isdir|basename|dirname)|makedirs|mkdir|remove|unlink|listdir)\(",
    weight=1.0,
)
def to_pathlib(window: Window, draw: Draw) -> Made | None:
    matches = [
        (m, form) for pattern, form in _PATHS.items() for m in re.finditer(rf"\b{pattern}(?![\w.\[])", window.text)
    ]
    if not matches or len(re.findall(r"\bos\.(path\.)?\w+\(", window.text)) > 1:
        return None
    match, form = draw.choice(matches)
    new = form.format(*match.groups())
    line = window.line_at(match.start())
    if " / " in new and re.search(r"[\w)]\.$|[+%]", window.text[match.end() : match.end() + 2]):
        return None
    after = window.text[: match.start()] + new + window.text[match.end() :]
    name = match[0].split("(")[0]
    slots: dict[str, Slot] = {
        "old": Name(name),
        "line": at_line(window, line, draw),
        "where": Words(f" on line {line}" if draw.chance(0.3) else ""),
    }
    return Made(window.text, after, slots)

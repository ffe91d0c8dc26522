"""Idioms: comparisons with None and True, membership, emptiness, isinstance, bare except, quotes,
literals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, NameSlot, Slot, WordsSlot

wording = table("wording/idioms")

_MOST_PLACES = 4
"""The most places of a name that becomes private."""

_IDIOMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"\b([\w.]+) is None\b", r"\1 == None", wording["is_none"]),
    (r"\b([\w.]+) is not None\b", r"\1 != None", wording["is_not_none"]),
    (r"\b([\w.]+) not in ([\w.]+)", r"not \1 in \2", wording["not_in"]),
    (r"\bisinstance\(([\w.]+), ([\w.]+)\)", r"type(\1) == \2", wording["isinstance"]),
    (r"(?<=if )not ([\w.]+)(?=:)", r"len(\1) == 0", wording["empty"]),
    (r"(?<=if )([\w.]+)(?=:)", r"\1 == True", wording["truth"]),
    (r"\bexcept Exception:", r"except:", wording["bare_except"]),
    (r"(?<= = )\[\](?=\n)", r"list()", wording["list_literal"]),
    (r"(?<= = )\{\}(?=\n)", r"dict()", wording["dict_literal"]),
    (r" in ([\w.]+):(?=\n)", r" in \1.keys():", wording["keys"]),
    (r"\brange\(([\w.()]+)\)", r"range(0, \1)", wording["range"]),
)


@kind(
    "use_idiom",
    *wording["is_none"],
    weight=1.6,
)
def use_idiom(window: SourceWindow, draw: Draw) -> Made | None:
    """The result is the window; the text before has one place in the clumsy form. The phrases name the
    idiom."""
    strings = [
        window.span(n)
        for n in window.nodes
        if isinstance(n, ast.Constant | ast.JoinedStr) and isinstance(getattr(n, "value", ""), str)
    ]
    for pattern, clumsy, phrases in draw.shuffled(_IDIOMS):
        matches = [
            m for m in re.finditer(pattern, window.text) if not any(a <= m.start() < b for a, b in strings)
        ]
        if not matches:
            continue
        match = draw.choice(matches)
        old = match.expand(clumsy)
        before = window.text[: match.start()] + old + window.text[match.end() :]
        needle = re.sub(r"[\w.]+", "", old) if "True" not in old else "== True"
        if "#" in window.text[window.text.rfind("\n", 0, match.start()) + 1 : match.start()] or not needle:
            continue
        function = window.function_of(_node_at(window, match.start()))
        where: Slot = (
            inside(window, function, draw)
            if draw.chance(0.7)
            else WordsSlot(f" on line {window.line_at(match.start())}")
        )
        slots: dict[str, Slot] = {
            **placed(where),
            "lit": CodeSlot("[]" if "list" in clumsy else "{}"),
        }
        return Made(before, window.text, slots, phrases)
    return None


def _node_at(window: SourceWindow, offset: int) -> ast.AST:
    """The innermost statement that contains an offset."""
    best: ast.AST = window.tree
    for node, _ in window.statements():
        start, end = window.span(node)
        if start <= offset < end:
            best = node
    return best


@kind(
    "change_quotes",
    *wording["quotes"],
    needs=r"['\"]\w+['\"]",
    weight=0.5,
    exact=True,
)
def change_quotes(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant)
        and isinstance(n.value, str)
        and n.lineno == n.end_lineno
        and re.fullmatch(r"(['\"])[\w ,.-]+\1", window.source(n))
        and not isinstance(window.parents.get(n), ast.JoinedStr)
    ]
    for node in draw.shuffled(found):
        source = window.source(node)
        if window.text.count(source) != 1 or len(re.findall(r"['\"]", window.lines[node.lineno - 1])) != 2:
            continue
        new = '"' if source[0] == "'" else "'"
        start, end = window.span(node)
        after = window.text[:start] + new + source[1:-1] + new + window.text[end:]
        bare = NameSlot(source[1:-1]) if source[1:-1].isidentifier() else CodeSlot(source)
        slots: dict[str, Slot] = {
            "q": WordsSlot("double" if new == '"' else "single"),
            "s": draw.slot(CodeSlot(source), bare),
            "line": WordsSlot(f"line {node.lineno}"),
        }
        return Made(window.text, after, slots)
    return None


@kind(
    "add_item",
    *wording["add_item"],
    needs=r"= [\[\(\{]",
    weight=1.4,
)
def add_item(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a last element to a list, tuple, set or dict that a name is bound to, on the same line or on its
    own."""
    for name, value in _collections(window, draw):
        source = window.source(value)
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        if source[-1] not in "])}" or (isinstance(value, ast.Tuple) and len(parts) < 2):
            continue
        first = window.source(parts[0]) if parts else '"a"'
        if first[0] in "'\"":
            new = first[0] + draw.choice(draw.pools.variables) + first[0]
        elif re.fullmatch(r"\d+", first):
            new = str(draw.rng.randint(0, 300))
        else:
            new = draw.name(window.names)
        item = new
        slots: dict[str, Slot] = {"name": NameSlot(name)}
        phrases: tuple[str, ...] = ()
        if isinstance(value, ast.Dict):
            key = f'"{draw.choice(draw.pools.variables)}"'
            if parts and value.keys[0] is not None and window.source(value.keys[0])[0] == "'":
                key = key.replace('"', "'")
            item = f"{key}: {new}"
            slots |= {"key": CodeSlot(key), "value": CodeSlot(new)}
            phrases = wording["add_key"] if draw.chance(0.6) else ()
        end = window.span(value)[1]
        if value.lineno == value.end_lineno and source[-2:-1] != ",":
            at, more = end - 1, (", " if parts else "") + item
        elif parts and on_own_line(window, parts[-1], value):
            line = window.lines[(parts[-1].end_lineno or 1) - 1]
            at, more = (
                window.starts[parts[-1].end_lineno or 1],
                line[: len(line) - len(line.lstrip())] + item + ",\n",
            )
        else:
            continue
        if item in source:
            continue
        return Made(
            window.text, window.text[:at] + more + window.text[at:], slots | {"item": CodeSlot(item)}, phrases
        )
    return None


_Collection = ast.List | ast.Tuple | ast.Set | ast.Dict


def _collections(window: SourceWindow, draw: Draw) -> Iterator[tuple[str, _Collection]]:
    """List, tuple, set and dict displays that are bound to a name once, with that name."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Assign)]):
        value, target = node.value, node.targets[0]
        if isinstance(value, _Collection) and isinstance(target, ast.Name | ast.Attribute):
            name = window.source(target)
            if len(re.findall(rf"(?m)^\s*{re.escape(name)} = ", window.text)) == 1:
                yield name, value


def on_own_line(window: SourceWindow, element: ast.expr, value: _Collection) -> bool:
    """Whether the element (of a dict: key and value) and its comma fill one line."""
    keys = dict(zip(value.values, value.keys, strict=True)) if isinstance(value, ast.Dict) else {}
    start = keys.get(element) or element
    line = window.lines[start.lineno - 1]
    inside_line = line[start.col_offset : element.end_col_offset]
    return start.lineno == element.end_lineno and line.strip() == f"{inside_line},"


_MOST_ITEMS = 7
_LONGEST_LINE = 88


@kind(
    "remove_item",
    *wording["remove_item"],
    needs=r"= [\[\(\{]",
    weight=3.0,
)
def remove_item(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes one element of a short list, tuple, set or dict, named by its text; of a dict, by its key."""
    for name, value in _collections(window, draw):
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        named = value.keys if isinstance(value, ast.Dict) else value.elts
        texts = [window.source(n) if n is not None else "**" for n in named]
        at = draw.rng.randrange(len(texts)) if len(texts) > 2 else 0
        if len(texts) < 3 or texts.count(texts[at]) != 1 or len(texts[at]) > 30 or texts[at] == "**":
            continue
        if value.lineno == value.end_lineno:
            if (
                len(texts) > _MOST_ITEMS
                or len(window.lines[value.lineno - 1]) > _LONGEST_LINE
                or "**" in texts
            ):
                continue
            starts = [window.span(n)[0] for n in named if n is not None]
            ends = [window.span(n)[1] for n in parts]
            start, end = (ends[at - 1], ends[at]) if at else (starts[0], starts[1])
        elif on_own_line(window, parts[at], value):
            start, end = window.line_span(parts[at].lineno, parts[at].lineno)
        else:
            continue
        return Made(
            window.text,
            window.text[:start] + window.text[end:],
            {"item": CodeSlot(texts[at]), "name": NameSlot(name)},
        )
    return None


@kind(
    "add_else",
    *wording["else"],
    needs=r"(?m)^\s*if ",
    weight=1.2,
)
def add_else(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.If) and not n.orelse and window.function_of(n) is not None
    ]
    for node in draw.shuffled(found):
        function = window.function_of(node)
        assert function is not None
        if not window.own_lines(node.body[0]) or window.lines[node.lineno - 1].lstrip().startswith("elif"):
            continue
        alone = sum(isinstance(n, ast.If) for n in ast.walk(function)) == 1
        names = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["value"]
        name = draw.choice(names)
        code, do = draw.choice(
            [
                (f"return {name}", f"return {name}"),
                ("return None", "return None"),
                ("return False", "return False"),
                ("pass", "do nothing"),
                (f"{name} = None", f"set {name} to None"),
                (f"print({name})", f"print {name}"),
                ("raise ValueError", "raise ValueError"),
                (f"{name} = 0", f"set {name} to 0"),
                ("continue", "continue") if isinstance(window.parents[node], ast.For) else ("pass", "pass"),
                (f"{draw.choice(draw.pools.functions)}()", ""),
                ("return True", "return True"),
            ]
        )
        indent = window.indent(node)
        at = window.starts[window.last_line(node)]
        after = window.text[:at] + f"{indent}else:\n{indent}    {code}\n" + window.text[at:]
        where: Slot = (
            inside(window, function, draw)
            if alone
            else WordsSlot(
                draw.choice([f" for the if on line {node.lineno}", f" to the if on line {node.lineno}"])
            )
        )
        known: tuple[str, ...] = wording["else"]
        cond = window.source(node.test)
        unique = window.text.count(f"if {cond}:") == 1 and window.text.count(cond) == 1
        slots: dict[str, Slot] = {"do": WordsSlot(do), "code": CodeSlot(code), **placed(where)}
        if unique and "\n" not in cond and len(cond) <= 50 and draw.chance(0.5 if alone else 0.8):
            known = wording["else_of"]
            slots["cond"] = CodeSlot(cond)
        return Made(window.text, after, slots, tuple(p for p in known if do or "{do}" not in p))
    return None


@kind(
    "make_private",
    *wording["private"],
    weight=1.4,
)
def make_private(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled([*window.functions, *window.classes]):
        old = node.name
        if old.startswith("_") or "_" + old in window.names:
            continue
        spots = [m.span() for m in re.finditer(rf"(?<![\w.'\"]){old}\b|(?<=self\.){old}\b", window.text)]
        everything = len(re.findall(rf"\b{old}\b", window.text))
        if len(spots) != everything or len(spots) > _MOST_PLACES:
            continue
        after = apply_changes(window.text, [(a, a, "_") for a, _ in spots])
        noun = "class" if isinstance(node, ast.ClassDef) else "method" if window.owner(node) else "function"
        slots: dict[str, Slot] = {
            "f": NameSlot(old, call=isinstance(node, Function)),
            "new": NameSlot("_" + old),
            "noun": WordsSlot(noun),
        }
        return Made(window.text, after, slots)
    return None

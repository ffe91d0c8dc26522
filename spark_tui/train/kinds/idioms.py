# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Idioms: comparisons with None and True, membership, emptiness, isinstance, bare except, quotes, literals."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.phrasing import Code, Name, Slot, Words
from spark_tui.train.windows import Function, Window, apply_changes

_IDIOMS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (r"\b([\w.]+) is None\b", r"\1 == None", "is None", (
        "use is None instead of == None{where}", "compare with is None{where}", "== None -> is None{where}", "None should be compared with is{where}",
        "replace == None by is None{where}", "fix the None comparison{where}",
    )),
    (r"\b([\w.]+) is not None\b", r"\1 != None", "is not None", (
        "use is not None instead of != None{where}", "replace != None [with|by] is not None{where}", "!= None -> is not None{where}",
        "None should be compared with is not{where}", "fix the comparison with None{where}", "compare to None with is not{where}",
    )),
    (r"\b([\w.]+) not in ([\w.]+)", r"not \1 in \2", "not in", (
        "use not in{where}", "write x not in y instead of not x in y{where}", "use the not in operator{where}", "replace not x in y by x not in y{where}",
        "tidy the membership test{where}", "fix the membership test{where}: use not in",
    )),
    (r"\bisinstance\(([\w.]+), ([\w.]+)\)", r"type(\1) == \2", "isinstance", (
        "use isinstance{where}", "use isinstance instead of type(){where}", "replace the type comparison [with|by] isinstance{where}",
        "type(x) == y should be isinstance{where}", "don't compare types{where}, use isinstance", "check the type with isinstance{where}",
    )),
    (r"(?<=if )not ([\w.]+)(?=:)", r"len(\1) == 0", "not", (
        "don't compare len with 0{where}", "use truthiness instead of len(...) == 0{where}", "simplify the emptiness check{where}",
        "replace len(...) == 0 by not{where}", "the length check{where} can be a plain not", "use not for the emptiness test{where}",
    )),
    (r"(?<=if )([\w.]+)(?=:)", r"\1 == True", "truth", (
        "don't compare with True{where}", "remove the == True{where}", "== True is [not needed|redundant]{where}", "drop the comparison with True{where}",
        "simplify the == True{where}", "get rid of == True{where}",
    )),
    (r"\bexcept Exception:", r"except:", "except", (
        "no bare except{where}", "catch Exception instead of using a bare except{where}", "replace the bare except [with|by] except Exception{where}",
        "the bare except{where} should be except Exception", "fix the bare except{where}", "don't use a bare except{where}",
    )),
    (r"(?<= = )\[\](?=\n)", r"list()", "[]", (
        "use [[] instead of list(){where}", "replace list() [with|by] a literal{where}", "use a list literal{where}", "list() -> literal{where}",
        "write an empty list literal{where}", "the list() call{where} can be a literal",
    )),
    (r"(?<= = )\{\}(?=\n)", r"dict()", "{}", (
        "use a dict literal{where}", "replace dict() [with|by] a literal{where}", "use a literal instead of dict(){where}", "dict() -> literal{where}",
        "write an empty dict literal{where}", "the dict() call{where} can be a literal",
    )),
    (r" in ([\w.]+):(?=\n)", r" in \1.keys():", "keys", (
        "iterate without .keys(){where}", "remove the .keys(){where}", ".keys() is not needed{where}", "drop .keys(){where}",
        "get rid of the .keys() call{where}", "no .keys(){where}",
    )),
    (r"\brange\(([\w.()]+)\)", r"range(0, \1)", "range", (
        "drop the 0 in range{where}", "range doesn't need the 0{where}", "simplify range(0, ...){where}", "remove the start of the range{where}",
        "range(0, n) -> range(n){where}", "the 0 in range is redundant{where}",
    )),
)  # fmt: skip


@kind(
    "use_idiom",
    "use the idiom{where}",
    "tidy it{where}",
    "simplify{where}",
    "clean it{where}",
    "make it idiomatic{where}",
    "improve it{where}",
    weight=1.6,
)
def use_idiom(window: Window, draw: Draw) -> Made | None:
    """The answer is the window; one place is first written the clumsy way. The phrases name the idiom."""
    strings = [
        window.span(n)
        for n in window.nodes
        if isinstance(n, ast.Constant | ast.JoinedStr) and isinstance(getattr(n, "value", ""), str)
    ]
    for pattern, clumsy, _, phrases in draw.shuffled(_IDIOMS):
        matches = [m for m in re.finditer(pattern, window.text) if not any(a <= m.start() < b for a, b in strings)]
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
            inside(window, function, draw) if draw.chance(0.7) else Words(f" on line {window.line_at(match.start())}")
        )
        fixed = tuple(p.replace("[[]", "{lit}") for p in phrases)
        return Made(before, window.text, {"where": where, "lit": Words("[]")}, fixed)
    return None


def _node_at(window: Window, offset: int) -> ast.AST:
    """The innermost statement that holds an offset."""
    best: ast.AST = window.tree
    for node, _ in window.statements():
        start, end = window.span(node)
        if start <= offset < end:
            best = node
    return best


@kind(
    "change_quotes",
    "use {q} quotes [on|in] {line}",
    "use {q} quotes for {s}",
    "change the quotes of {s} to {q} quotes",
    "{q} quotes [on|in] {line}",
    "put {s} in {q} quotes",
    "{s} should have {q} quotes",
    "switch to {q} quotes [on|in] {line}",
    needs=r"['\"]\w+['\"]",
    weight=0.5,
    exact=True,
)
def change_quotes(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.lineno == n.end_lineno and re.fullmatch(r"(['\"])[\w ,.-]+\1", window.source(n))
        and not isinstance(window.parents.get(n), ast.JoinedStr)
    ]  # fmt: skip
    for node in draw.shuffled(found):
        source = window.source(node)
        if window.text.count(source) != 1 or len(re.findall(r"['\"]", window.lines[node.lineno - 1])) != 2:
            continue
        new = '"' if source[0] == "'" else "'"
        start, end = window.span(node)
        after = window.text[:start] + new + source[1:-1] + new + window.text[end:]
        slots: dict[str, Slot] = {"q": Words("double" if new == '"' else "single"), "s": draw.slot(Code(source), Name(source[1:-1])),
                                  "line": Words(f"line {node.lineno}")}  # fmt: skip
        return Made(window.text, after, slots)
    return None


@kind(
    "add_item",
    "add {item} to {name}",
    "append {item} to {name}",
    "{name} should [also|] [contain|include|have] {item}",
    "put {item} in[to|] {name}[ too| as well|]",
    "include {item} in {name}",
    "extend {name} with {item}",
    "{item} is missing [in|from] {name}",
    "also {item} in {name}",
    needs=r"= [\[\(\{][^\n]*[\]\)\}]\n",
    weight=1.4,
)
def add_item(window: Window, draw: Draw) -> Made | None:
    """A new last element of a one-line list, tuple, set or dict that a name is bound to."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Assign) and n.lineno == n.end_lineno]):
        value, target = node.value, node.targets[0]
        if not isinstance(value, ast.List | ast.Tuple | ast.Set | ast.Dict) or not isinstance(
            target, ast.Name | ast.Attribute
        ):
            continue
        name = window.source(target)
        source = window.source(value)
        if (
            len(re.findall(rf"(?m)^\s*{re.escape(name)} = ", window.text)) != 1
            or source[-1] not in "])}"
            or source[-2:-1] == ","
        ):
            continue
        parts = value.values if isinstance(value, ast.Dict) else value.elts
        if isinstance(value, ast.Tuple) and len(parts) < 2:
            continue
        first = window.source(parts[0]) if parts else '"a"'
        if first[0] in "'\"":
            new = first[0] + draw.choice(draw.pools.variables) + first[0]
        elif re.fullmatch(r"\d+", first):
            new = str(draw.rng.randint(0, 300))
        else:
            new = draw.name(window.names)
        item = new
        if isinstance(value, ast.Dict):
            key = f'"{draw.choice(draw.pools.variables)}"'
            if parts and value.keys[0] is not None and window.source(value.keys[0])[0] == "'":
                key = key.replace('"', "'")
            item = f"{key}: {new}"
        if item in source:
            continue
        end = window.span(value)[1]
        after = window.text[: end - 1] + (", " if parts else "") + item + window.text[end - 1 :]
        return Made(window.text, after, {"item": Code(item), "name": Name(name)})
    return None


@kind(
    "remove_item",
    "remove {item} from {name}",
    "drop {item} from {name}",
    "{name} should not [contain|include|have] {item}",
    "take {item} out of {name}",
    "delete {item} from {name}",
    "{item} does not belong in {name}",
    "no {item} in {name}",
    needs=r"= [\[\(\{][^\n]*,[^\n]*[\]\)\}]\n",
    weight=1.2,
)
def remove_item(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Assign) and n.lineno == n.end_lineno]):
        value, target = node.value, node.targets[0]
        if (
            not isinstance(value, ast.List | ast.Tuple | ast.Set)
            or len(value.elts) < 3
            or not isinstance(target, ast.Name | ast.Attribute)
        ):
            continue
        name = window.source(target)
        texts = [window.source(n) for n in value.elts]
        at = draw.rng.randrange(len(texts))
        if (
            len(re.findall(rf"(?m)^\s*{re.escape(name)} = ", window.text)) != 1
            or texts.count(texts[at]) != 1
            or len(texts[at]) > 30
        ):
            continue
        if at:
            start, end = window.span(value.elts[at - 1])[1], window.span(value.elts[at])[1]
        else:
            start, end = window.span(value.elts[0])[0], window.span(value.elts[1])[0]
        return Made(window.text, window.text[:start] + window.text[end:], {"item": Code(texts[at]), "name": Name(name)})
    return None


@kind(
    "add_else",
    "add an else [branch|] {do}{where}",
    "otherwise {do}{where}",
    "in the other case {do}{where}",
    "add an else that [does|says] {code}{where}",
    "else: {code}{where}",
    "[if|when] not, {do}{where}",
    "add else: {code} to the if{where}",
    needs=r"(?m)^\s*if ",
    weight=0.9,
)
def add_else(window: Window, draw: Draw) -> Made | None:
    found = [n for n in window.nodes if isinstance(n, ast.If) and not n.orelse and window.function_of(n) is not None]
    for node in draw.shuffled(found):
        function = window.function_of(node)
        assert function is not None
        if not window.own_lines(node.body[0]) or window.lines[node.lineno - 1].lstrip().startswith("elif"):
            continue
        alone = sum(isinstance(n, ast.If) for n in ast.walk(function)) == 1
        names = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["value"]
        name = draw.choice(names)
        code, do = draw.choice([
            (f"return {name}", f"return {name}"), ("return None", "return None"), ("return False", "return False"), ("pass", "do nothing"),
            (f"{name} = None", f"set {name} to None"), (f"print({name})", f"print {name}"), ("raise ValueError", "raise ValueError"),
            (f"{name} = 0", f"set {name} to 0"), ("continue", "continue") if isinstance(window.parents[node], ast.For) else ("pass", "pass"),
            (f"{draw.choice(draw.pools.functions)}()", ""), ("return True", "return True"),
        ])  # fmt: skip
        indent = window.indent(node)
        at = window.starts[window.last_line(node)]
        after = window.text[:at] + f"{indent}else:\n{indent}    {code}\n" + window.text[at:]
        where: Slot = (
            inside(window, function, draw)
            if alone
            else Words(draw.choice([f" for the if on line {node.lineno}", f" to the if on line {node.lineno}"]))
        )
        phrases = tuple(p for p in _ELSE if do or "{do}" not in p)
        return Made(window.text, after, {"do": Words(do), "code": Code(code), "where": where}, phrases)
    return None


_ELSE = (
    "add an else [branch|] {code}{where}",
    "add an else that runs {code}{where}",
    "otherwise {do}{where}",
    "else: {code}{where}",
    "add else: {code}{where}",
    "add an else and {do}{where}",
    "in the other case {do}{where}",
    "the else is missing{where}, it should be {code}",
)


@kind(
    "make_private",
    "make {f} private",
    "{f} should be private",
    "mark {f} as private",
    "prefix {f} with an underscore",
    "{f} is internal, give it a leading underscore",
    "turn {f} into a private [function|method|helper]",
    "{f} is not public",
    weight=0.7,
)
def make_private(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled([*window.functions, *window.classes]):
        old = node.name
        if old.startswith("_") or "_" + old in window.names:
            continue
        spots = [m.span() for m in re.finditer(rf"(?<![\w.'\"]){old}\b|(?<=self\.){old}\b", window.text)]
        everything = len(re.findall(rf"\b{old}\b", window.text))
        if len(spots) != everything or len(spots) > 6:
            continue
        public = isinstance(node, Function | ast.ClassDef)
        after = apply_changes(window.text, [(a, a, "_") for a, _ in spots])
        return Made(window.text, after, {"f": Name(old, call=isinstance(node, Function))}) if public else None
    return None

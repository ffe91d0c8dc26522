# ruff: noqa: E501 - tables of forms read better unbroken
"""Code that a message spells out, in the place of what the answer brought; and values it brought that get a name.

Comes in: a text, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator

from spark_tui.parsing import parse_code
from spark_tui.refactor.imports_of import bound, imports_in
from spark_tui.refactor.known import PLAIN, known, with_hunks
from spark_tui.refactor.source import Change, Function, Source, parameters
from spark_tui.steers.otherwise_base import Base
from spark_tui.steers.otherwise_said import Said

SPELLED = r"`[^`]+`|\w[\w.]*\(|\w ?(?:[<>=!]=|[<>+*/%]|//) ?\w|\b(?:in|is|and|or|not) \w"
CONSTANT = r"\bconst(?:ant)?s?\b|\bmodule[- ]level\b|\bmagic number\b|\bglobal\b|\bhard-?coded\b"
PARAMETER = r"\b(?:parameter|argument|param|kwarg|arg|keyword)s?\b|\bpass(?:ed)? (?:it|that) in\b|\bconfigurable\b|\bhand(?:ed)? (?:it|that) in\b"
_WHOLE = (
    ast.Call, ast.BoolOp, ast.Compare, ast.BinOp, ast.Subscript, ast.IfExp, ast.UnaryOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr,
)  # fmt: skip
_IMPORTS = {name: f"from {module} import {name}" for module, names in (
    ("pathlib", "Path"), ("collections", "Counter defaultdict deque OrderedDict"), ("decimal", "Decimal"), ("functools", "partial reduce cache lru_cache"),
    ("itertools", "chain islice pairwise groupby zip_longest accumulate product"), ("operator", "attrgetter itemgetter"), ("contextlib", "suppress"), ("dataclasses", "replace asdict field"),
) for name in names.split()}  # fmt: skip
_NO_NAME = frozenset(
    """
    with default defaulting instead keyword optional only new own extra second and there please too for from that the this
    its function make of in to on at as
    """.split()  # noqa: SIM905
)
_LEAD = re.compile(
    r"^(?:(?:no|nah|just|rather|maybe|better|please|pls|or|use|return|with|write|make it|make that|that'?s|do|why not|simply|simpler|shorter|hm+|eh|ok|so|even|then|and|but|plain|a|the|an|one expression|instead|it'?s|should be)\b[\s,:]*)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:is|does|would|will|looks|reads|covers|handles|works|do|are|please|pls|instead|rather|there|here|too|then|is enough|already|fits|there)\b.*|[\s,.!]+)$",
    re.I,
)


def spelled(base: Base, said: Said) -> Iterator[str]:
    """*list(dict.fromkeys(items))*, *re.fullmatch(p, s) does it*: in the place of what computes the same now."""
    function = _function(base) if base.new else None
    if function is None:
        return
    for code, imports in _codes(base.src, said):
        for changes, of in _put(base, said, function, code):
            yield from Base(of, (), base.stands, base.new).made(changes, *imports)


def _function(base: Base) -> Function | None:
    found = [node for node in base.src.functions if base.touches(node)]
    return (
        found[-1] if found and all(one is found[-1] or one in base.src.ancestors(found[-1]) for one in found) else None
    )


def _codes(src: Source, said: Said) -> list[tuple[str, list[str]]]:
    """The expression or assignment of names that are there, or can be imported; none where there are several."""
    known_names = {one.id for one in src.nodes if isinstance(one, ast.Name)} | {
        one.arg for one in src.nodes if isinstance(one, ast.arg)
    }
    known_names |= {one.name for one in [*src.functions, *src.classes]}
    known_names |= {bound(alias, node) for node in imports_in(src) for alias in node.names}
    out: dict[str, list[str]] = {}
    for piece in [*re.findall(r"`([^`]+)`", said.message), *(said.pieces if "`" not in said.message else ())]:
        code = _TAIL.sub("", _LEAD.sub("", piece)).strip()
        try:
            tree = parse_code(code)
        except (SyntaxError, ValueError):
            continue
        if f"`{code}`" not in said.message and not re.search(r"[(\[.<>=\"'+*/%]", code):
            continue  # *filter in walk* is no code.
        if len(tree.body) != 1 or not isinstance(tree.body[0], (ast.Expr, ast.Assign)):
            continue
        value = tree.body[0].value
        inside = list(ast.walk(value))
        own = {one.arg for one in inside if isinstance(one, ast.arg)} | {
            one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        used = {one.id for one in inside if isinstance(one, ast.Name)} - own - set(dir(builtins))
        imports = [
            _IMPORTS.get(one) or f"import {one}"
            for one in used - known_names
            if one in _IMPORTS or one in sys.stdlib_module_names
        ]
        unknown = {one for one in used - known_names if one not in _IMPORTS and one not in sys.stdlib_module_names}
        turned_down = any(isinstance(one, ast.Call) and ast.unparse(one.func) in said.against for one in inside)
        dots = any(isinstance(one, ast.Constant) and one.value is ... for one in inside)
        if isinstance(value, _WHOLE) and used & known_names and not unknown and not turned_down and not dots:
            out[code] = imports
    return list(out.items()) if len(out) == 1 else []


def _put(base: Base, said: Said, function: Function, code: str) -> Iterator[tuple[list[Change], Source]]:
    """In the place of the value of one statement, or of all that ends in a return."""
    src, was = base.src, base.stands.was
    new = [one for one in function.body if base.stands.brought(one)]
    tree = parse_code(code).body[0]
    inside = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    used = {one.id for one in inside} - {one.id for one in inside if isinstance(one.ctx, ast.Store)}
    if isinstance(tree, ast.Assign):
        target = ast.unparse(tree.targets[0])
        for source in (src, was):
            stood = [
                one
                for one in source.statements
                if isinstance(one, ast.Assign)
                and source.segment(one.targets[0]) == target
                and getattr(source.function_of(one), "name", "") == function.name
            ]
            if len(stood) == 1 and (source is was or base.stands.brought(stood[0])):
                yield [(*source.span(stood[0]), code)], source
                return
        return
    bools = all(
        isinstance(one.value, ast.Constant) and isinstance(one.value.value, bool)
        for one in ast.walk(function)
        if isinstance(one, ast.Return)
    )
    if bools and re.match(r"re\.(?:full)?match\(|re\.search\(", code):
        code += " is not None"
    region = function.body[function.body.index(new[0]) :] if new else []
    gives = any(isinstance(item, ast.Return) for one in region for item in ast.walk(one))
    several = len(region) > 1 or isinstance(region[0], ast.If) if region else False
    if gives and several and (region[-1] in new or (region[-2] in new and isinstance(region[-1], ast.Return))):
        walked = [item for one in region for item in ast.walk(one)]
        made = {one.id for one in walked if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        made -= {one.arg for one in parameters(function)}
        part = re.search(r"\b(?:loop|if|check|case|test|condition|comparison|lambda|key)\b", said.against)
        if not part and not used & made and not any(isinstance(one, (ast.Raise, ast.Yield)) for one in walked):
            yield [(src.span(region[0])[0], src.span(region[-1])[1], f"return {code}")], src
        return
    values = [
        one
        for one in base.stands.statements
        if isinstance(one, (ast.Return, ast.Assign, ast.AnnAssign, ast.Expr)) and isinstance(one.value, ast.expr)
    ]
    only = values[0] if len(values) == 1 else None
    if (
        only is None
        or only.value is None
        or not used & {one.id for one in ast.walk(only.value) if isinstance(one, ast.Name)}
    ):
        return
    block = src.block(only)
    behind = block[block.index(only) + 1 :]
    if isinstance(only, ast.Assign) and len(behind) == 1 and isinstance(behind[0], ast.Return):
        further = {one.id for one in ast.walk(behind[0]) if isinstance(one, ast.Name)} - {ast.unparse(only.targets[0])}
        if further & used:
            yield [(src.span(only)[0], src.span(behind[0])[1], f"return {code}")], src
            return
    slot = _slot(base, only.value) if isinstance(only, ast.Expr) else only.value
    if not isinstance(only, ast.Expr) or slot is not only.value:
        yield [(*src.span(slot), code)], src


def _slot(base: Base, value: ast.expr) -> ast.expr:
    """The smallest expression that holds all that was brought of a value."""
    low, high = base.src.span(value)
    spans = [(max(low, a), min(high, b)) for a, b in base.stands.spans if a < high and low < b]
    found = [
        one
        for one in ast.walk(value)
        if isinstance(one, ast.expr)
        and all(base.src.span(one)[0] <= a and b <= base.src.span(one)[1] for a, b in spans)
    ]
    return min(found, key=lambda one: base.src.span(one)[1] - base.src.span(one)[0], default=value)


# -- values that get a name ------------------------------------------------------------------------------------------


def named_value(base: Base, said: Said) -> Iterator[str]:
    """*use math.pi*: for the one number that was brought."""
    node = _literal(base, said) if base.new else None
    found = [
        match
        for match in re.findall(r"\b([a-z]\w*)\.([a-z]\w*)\b(?![(.])", said.orders)
        if match[0] in ("math", "sys", "string", "http", "socket", "os", "time")
    ]
    if len(found) == 1 and node is not None and isinstance(node.value, (int, float)):
        yield from base.made([(*base.src.span(node), ".".join(found[0]))], f"import {found[0][0]}")


def _literal(base: Base, said: Said) -> ast.Constant | None:
    """The one value that was brought; of several the one that is said."""
    found = [
        one
        for one in base.stands.new(ast.Constant)
        if isinstance(one, ast.Constant)
        and isinstance(one.value, (int, float, str))
        and not isinstance(one.value, bool)
        and base.src.function_of(one) is not None
        and not isinstance(base.src.parents.get(one), (ast.JoinedStr, ast.FormattedValue, ast.Expr))
        and one not in _defaults(base.src, one)
    ]
    spelled_out = [
        one for one in found if re.search(rf"(?<![\w.]){re.escape(base.src.segment(one))}(?![\w.])", said.message)
    ]
    numbers = [one for one in found if isinstance(one.value, (int, float))]
    for some in (spelled_out, numbers, found):
        if some:
            return some[0] if len(some) == 1 else None
    return None


def _defaults(src: Source, node: ast.AST) -> list[ast.expr]:
    function = src.function_of(node)
    return [*function.args.defaults, *filter(None, function.args.kw_defaults)] if function is not None else []


def _called(base: Base, node: ast.Constant) -> str:
    """By which name a value goes where it stands: a keyword, a variable that it is compared with or put in."""
    parent = base.src.parents.get(node)
    if isinstance(parent, ast.keyword) and parent.arg:
        return parent.arg
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    if isinstance(parent, ast.Call) and len(parent.args) == 1:
        called = base.src.segment(parent.func).rpartition(".")[2]
        return {"range": "attempts", "sleep": "delay"}.get(called, "")
    return ""


def as_constant(base: Base, said: Said) -> Iterator[str]:
    """*constant for that, TIMEOUT*: for the one value that was brought."""
    node = _literal(base, said) if base.new else None
    if node is None or re.search(r"\bconstant|const\b", said.against, re.I):
        return
    names = [
        one for one in re.findall(r"\b[A-Z][A-Z_\d]{2,}\b", said.message) if not re.search(rf"\b{one}\b", base.src.text)
    ]
    called = _called(base, node)
    name = names[0] if len(names) == 1 else called.upper() if not names else ""
    if not name:
        return
    found = known(base.src.lines, f"extract {base.src.segment(node)} into a constant {name}", headers=base.src.headers)
    if found and found[0].plain == PLAIN:
        yield "".join(f"{line}\n" for line in with_hunks(base.src.lines, found[0].hunks))


def as_parameter(base: Base, said: Said) -> Iterator[str]:
    """*make that a parameter*: of the function in which the one value was brought."""
    src = base.src
    node = _literal(base, said) if base.new else None
    function = src.function_of(node) if node is not None else None
    if node is None or function is None or re.search(r"\bparam|\barg", said.against, re.I):
        return
    named = re.search(
        r"\b(?:parameter|argument|param|kwarg|arg) (?:called |named )?`?([a-z_]\w*)`?(?= |$|,)|\b`?([a-z]\w*_\w+|[a-z]{3,})`? (?:parameter|argument|param|kwarg|arg)\b",
        said.orders,
    )
    name = (named[1] or named[2] or "") if named is not None else ""
    name = _called(base, node) if not name or name in _NO_NAME else name
    spec = function.args
    if (
        not name.isidentifier()
        or name in {one.arg for one in parameters(function)}
        or spec.vararg
        or spec.kwarg
        or spec.kwonlyargs
    ):
        return
    given = re.search(r"\bdefault(?:s|ing)?(?: to| of| is|:)? (-?\d[\d.]*|\"[^\"]*\"|'[^']*')", said.message)
    default = given[1] if given else src.segment(node)
    typed = any(one.annotation is not None for one in spec.args)
    made = f"{name}: {type(node.value).__name__} = {default}" if typed else f"{name}={default}"
    if re.search(r"\bkeyword[- ]only\b", said.message):
        made = f"*, {made}"
    changes: list[Change] = [(*src.span(node), name)]
    parent = src.parents.get(node)
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and parent.targets[0].id == name:
        changes = [(*src.line_span(src.first_line(parent), src.last_line(parent)), "")]
    if spec.args:
        last = spec.defaults[-1] if spec.defaults else spec.args[-1]
        at = src.span(last)[1]
        changes.append((at, at, f", {made}"))
    else:
        at = src.text.index("(", src.text.index(function.name, src.span(function)[0])) + 1
        changes.append((at, at, made))
    yield src.changed(changes)

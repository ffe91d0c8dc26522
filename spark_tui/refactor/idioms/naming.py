"""Values that get a name: an expression in a variable, a literal in a constant of the module.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.words import NOISE
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Function, Source

_SCOPES = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    *(ast.FunctionDef, ast.AsyncFunctionDef),
)


_SAID_NAME = re.compile(
    r"\b(?:named?|name|call(?:ed)?(?: it)?|as|into|in|to|be|make it|maybe|with|define|variable|var|local|constant|const|use|extract(?: it as)?|split off|introduce|says?)\s+(?:a |an |the |it )?(?:(?:new|local|global|module|module-level|class|explaining|temp\w*|constant|const|variable|var|local variable|name|named?|called)\s+){0,4}[`'\"]?([^\W\d]\w*)[`'\"]?"
    r"|(?:->|=>|→)\s*[`'\"]?([^\W\d]\w*)|^[`'\"]?([^\W\d]\w*)[`'\"]? *(?:=|:)|\bname\? ([^\W\d]\w*)",
)
_NOT_NAMES = frozenset(
    [
        "a",
        "an",
        "the",
        "it",
        "this",
        "that",
        "variable",
        "var",
        "local",
        "constant",
        "const",
        "module",
        "global",
        "name",
        "named",
        "line",
        "lines",
        "function",
        "method",
        "own",
        "its",
        "here",
        "there",
        "one",
        "two",
        "value",
        "place",
        "expression",
        "first",
        "top",
        "file",
        "level",
        "so",
        "and",
        "or",
        "in",
        "for",
        "of",
        "to",
        "from",
        "with",
        "as",
        "is",
        "at",
        "use",
        "please",
        "called",
        "half",
        "body",
        "separate",
        "explaining",
        "needed",
        "too",
        "proper",
        "temp",
        "temporary",
        "what",
        "which",
        "literal",
        "hard",
        "coded",
        "only",
        "once",
        "class",
        "python",
        "uppercase",
    ]
)


def _new_name(asked: Asked, shouted: bool, quoted: str) -> list[str]:
    """Names that the order gives to what is extracted: unknown in the file, the most telling first."""
    said = asked.order.said.replace(quoted, " ") if quoted else asked.order.said
    own = asked.order.identifiers
    if shouted:
        found = [
            name
            for name in re.findall(r"(?<![\w.])[A-Z_][A-Z0-9_]*(?![\w.(])", said)
            if name not in ("I", "A", "TODO", "FIXME", "PEP", "PR", "CI", "L")
            and not re.fullmatch(r"(?:PLR|RUF|SIM|E|F|C|R|W)\d*", name)
        ]
        return list(dict.fromkeys(name for name in found if name not in own and re.search(r"[A-Z]", name)))
    spelled = re.findall(r"[`'\"]([^\W\d]\w*)[`'\"]", said)
    given = [name for groups in _SAID_NAME.findall(said) for name in groups if name]
    marked = re.findall(r"(?<![\w.])([^\W\d]\w*_\w+)(?![\w.(])", said)
    functions = {node.name for node in asked.order.definitions()}
    for names in ([*spelled, *marked], given):
        found = [
            name
            for name in names
            if name not in own | functions
            and name.lower()
            not in _NOT_NAMES
            | FILLERS
            | NOISE - {"proper", "small", "value", "text", "line", "old", "new", "part", "user", "first", "last"}
            and not keyword.iskeyword(name)
        ]
        if found:
            return list(dict.fromkeys(found))
    return []


def _tight(text: str) -> str:
    return re.sub(r"\s+", "", text).replace("'", '"')


def extracted(asked: Asked) -> Iterator[Spot]:
    """An expression that the order quotes, in a variable in front of the statement that has it."""
    src, said = asked.src, _tight(asked.order.said)
    fitting: dict[str, list[ast.expr]] = {}
    for node in src.nodes:
        if isinstance(
            node,
            ast.Call
            | ast.BinOp
            | ast.Subscript
            | ast.Attribute
            | ast.Compare
            | ast.BoolOp
            | ast.IfExp
            | ast.UnaryOp
            | ast.Constant
            | ast.JoinedStr
            | ast.List
            | ast.Dict
            | ast.Tuple
            | ast.ListComp
            | ast.Set,
        ):
            text = _tight(src.segment(node))
            if len(text) > 3 and text in said and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                if isinstance(node, ast.Constant) and not re.search(r"[`'\"]", asked.order.said):
                    continue
                fitting.setdefault(text, []).append(node)
    longest = [text for text in fitting if not any(text in other and text != other for other in fitting)]
    if len(longest) != 1:
        return
    nodes = fitting[longest[0]]
    quoted = next((one for one in asked.order.quoted if _tight(one) == longest[0]), "")
    names = _new_name(asked, False, quoted or src.segment(nodes[0]))
    if len(names) != 1 or re.fullmatch(r"[A-Z][A-Z0-9_]+", names[0]) or any(_is_docstring(src, node) for node in nodes):
        return
    name, value = names[0], src.segment(nodes[0])
    if "\n" in value and not value.endswith(")"):
        return
    for group in [nodes] if asked.everywhere and len(nodes) > 1 else [[node] for node in nodes]:
        statement = src.statement(group[0])
        if (
            statement is None
            or any(isinstance(up, _SCOPES) for up in _up_to(src, group[0], statement))
            or not _fits(src, group[0], statement)
        ):
            continue
        if any(src.function_of(one) is not src.function_of(group[0]) for one in group):
            continue
        head = src.first_line(statement)
        if src.lines[head].lstrip().startswith(("elif ", "else", "except", "case ")) or isinstance(
            statement, ast.While
        ):
            continue
        start = src.starts[head]
        new = f"{src.indent(statement)}{name} = {value}\n"
        yield Spot(
            group[0],
            ((start, start, new), *((*src.span(one), name) for one in group)),
            (name, *re.findall(r"\w+", value)),
        )


def _fits(src: Source, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether it is not all of the statement, nor the head of what a def or class is."""
    if isinstance(statement, Function | ast.ClassDef | ast.Import | ast.ImportFrom) or (
        isinstance(statement, ast.Expr) and statement.value is node
    ):
        return False
    return not any(isinstance(up, ast.JoinedStr) for up in _up_to(src, node, statement)) or isinstance(
        src.parents.get(node), ast.FormattedValue
    )


def _up_to(src: Source, node: ast.AST, statement: ast.AST) -> Iterator[ast.AST]:
    for up in src.ancestors(node):
        if up is statement:
            return
        yield up


def _is_docstring(src: Source, node: ast.AST) -> bool:
    return isinstance(src.parents.get(node), ast.Expr)


_LITERAL = re.compile(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\w)")


def constants(asked: Asked) -> Iterator[Spot]:
    """A literal that the order gives (or that its line or place has alone), as a constant of the module."""
    src, said = asked.src, asked.order.said
    plain = re.sub(r"\b(?:lines?|ln|l)\.?\s*#?\d+(?:\s*(?:-|to|and)\s*\d+)?", " ", said, flags=re.I)
    pieces = {_tight(one) for one in asked.order.quoted} | {f'"{one}"'.replace(" ", "") for one in asked.order.quoted}
    numbers = set(_LITERAL.findall(plain))
    nodes = [
        node for node in src.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bytes) and not isinstance(node.value, bool)
        and not _is_docstring(src, node) and not isinstance(src.parents.get(node), ast.JoinedStr | ast.FormattedValue) and node.lineno == node.end_lineno
        and not _is_constant_already(src, node)
    ]  # fmt: skip
    found = [
        node
        for node in nodes
        if src.segment(node) in numbers
        or _tight(src.segment(node)) in pieces
        or (isinstance(node.value, str) and len(node.value) > 3 and src.segment(node) in said)
    ]
    names = _new_name(asked, True, "")
    names = [name for name in names if not any(name in src.segment(node) for node in found)] if found else names
    if len(names) != 1 or not found or len({_tight(src.segment(node)) for node in found}) != 1:
        return
    name, value = names[0], src.segment(found[0])
    groups = [[node] for node in found]
    if (
        asked.everywhere
        or len(found) == 1
        or not isinstance(found[0].value, int | float)
        or not asked.order.functions()
    ):
        groups = [found]
    at, new = _constant_place(src, f"{name} = {value}")
    for group in groups:
        if at <= src.first_line(group[0]) and all(at <= src.first_line(one) for one in group):
            place = src.starts[at]
            yield Spot(
                group[0],
                ((place, place, new), *((*src.span(one), name) for one in group)),
                (name, *re.findall(r"\w+", value)),
            )


def _is_constant_already(src: Source, node: ast.AST) -> bool:
    parent = src.parents.get(node)
    return isinstance(parent, ast.Assign) and isinstance(src.parents.get(parent), ast.Module)


def _constant_place(src: Source, row: str) -> tuple[int, str]:
    """The line in front of which a constant of the module stands, and the text there."""
    body = [node for node in (src.tree.body if src.tree else []) if node in src.statements]
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    last_import = max((src.last_line(node) for node in imports), default=0)
    first_use = next(
        (src.first_line(node) for node in body if isinstance(node, Function | ast.ClassDef)), len(src.lines)
    )
    shouting = [
        node for node in body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper()
        and last_import <= src.first_line(node) < first_use and isinstance(node.value, ast.Constant)
    ]  # fmt: skip
    if shouting:
        run = shouting[0]
        for node in shouting[1:]:
            if src.first_line(node) != src.last_line(run):
                break
            run = node
        return src.last_line(run), row + "\n"
    rest = [
        node
        for node in body
        if src.first_line(node) >= last_import
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    if not rest:
        return 0, row + "\n"
    line = src.first_line(rest[0])
    while line > last_import and src.lines[line - 1].startswith("#"):
        line -= 1
    heavy = isinstance(rest[0], Function | ast.ClassDef)
    return line, row + "\n" + ("\n\n" if heavy else "\n" if not isinstance(rest[0], ast.Assign | ast.AnnAssign) else "")


_VARIABLE = "variable variables var local locals name named names assignment value expression temporary temp"


WAYS = (
    way(
        r"\bextract|\bvariable|\bvar\b|\blocal\b|\bpull\b|\bname\b|\bsplit off|\bhold\b|\bkeep\b|\bstore\b|\bsave\b|\bcompute\b|\binto\b|\bintroduce|\bassign|\bshould be\b|\bhave a name|\bmove\b|\bas \w+$",
        extracted,
        f"{_VARIABLE} extract extracted extracting pull pulled out into hold keep store save compute computed introduce assign give line does much too long debugging explaining have split off put first factor own what intermediate separate half before reuse itself introduce want see step debugger",
    ),
    way(
        r"\bconst(?:ant)?s?\b|\bhard-? ?coded|\bmagic|\bglobal\b|\bmodule[- ]level|at the top|in one place|\b(?:extract|pull|lift|move|put|make)\b|->|=>|literal|\btop\b",
        constants,
        f"{_VARIABLE} constant constants const module module-level level global extract extracted pull put out into hard-coded hardcoded hard coded magic number numbers string literal literals top define defined introduce make one place change move own everywhere instead file up have call it replace reuse should named i",
    ),
)

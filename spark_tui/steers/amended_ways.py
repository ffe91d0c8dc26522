"""Expressions that an answer brought, made in the way a further remark says: as an f-string, as a set, the other way round.

Comes in: the text in which an answer stands, one clause of a message. Goes out: texts that may be wanted. Must not
know: engines, ids, what was asked at first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.refactor.source import Change
from spark_tui.steers.stands import Stands, one

Rule = Callable[[Stands, re.Match[str]], Iterator[str]]
_EMPTY = {"list": "[]", "tuple": "()", "dict": "{}", "set": "set()"}


def _formatted(text: Stands, _: re.Match[str]) -> Iterator[str]:
    """*use an f-string*: for what is printed in pieces, or put together with `+`."""
    found: list[tuple[ast.AST, list[ast.expr], str]] = []
    for node in text.new((ast.Call, ast.BinOp)):
        if isinstance(node, ast.Call) and text.src.segment(node.func) == "print" and len(node.args) > 1:
            if not any(item.arg == "sep" for item in node.keywords):
                found.append((node, node.args, " "))
        elif isinstance(node, ast.BinOp) and not isinstance(text.src.parents.get(node), ast.BinOp):
            pieces = _added(node)
            if pieces and any(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in pieces):
                found.append((node, pieces, ""))
    if len(found) != 1:
        return
    node, pieces, between = found[0]
    words = []
    for item in pieces:
        stood = text.src.segment(item)
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            if stood[:1] not in "\"'" or stood[:3] in ('"""', "'''"):
                return
            words.append(
                stood[1:-1].replace("{", "{{").replace("}", "}}").replace('"', '\\"' if stood[0] == "'" else '"')
            )
        elif isinstance(item, (ast.JoinedStr, ast.Starred)) or '"' in stood or "\\" in stood:
            return
        else:
            if isinstance(item, ast.Call) and text.src.segment(item.func) == "str" and len(item.args) == 1:
                stood = text.src.segment(item.args[0])
            words.append("{" + stood + "}")
    made = 'f"' + between.join(words) + '"'
    start = text.src.span(pieces[0])[0]
    end = text.src.span(pieces[-1])[1]
    yield text.changed([(start, end, made)])


def _added(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        if not isinstance(node.op, ast.Add):
            return []
        left, right = _added(node.left), _added(node.right)
        return [*left, *right] if left and right else []
    return [node]


def _contained(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*a set is enough*, *as a tuple*: what was made as a list, a dict or a set."""
    kind = match["k"].lower().replace("dictionary", "dict")
    listed = one(text.new(ast.ListComp))
    if isinstance(listed, ast.ListComp):
        inside = text.src.segment(listed)[1:-1]
        low, high = text.src.span(listed)
        parent = text.src.parents.get(listed)
        alone = isinstance(parent, ast.Call) and len(parent.args) == 1 and not parent.keywords
        made = {"set": f"{{{inside}}}", "tuple": f"tuple({inside})"}.get(kind, "")
        if kind.startswith("gen"):
            made = inside if alone else f"({inside})"
        if made:
            yield text.changed([(low, high, made)])
        return
    if kind.startswith("gen"):
        return
    found = [
        node
        for node in text.new((ast.Assign, ast.AnnAssign))
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        and node.value is not None
        and (
            isinstance(node.value, (ast.List, ast.Tuple, ast.Set, ast.Dict))
            or text.src.segment(node.value) in ("set()", "dict()", "list()", "tuple()")
        )
    ]
    if len(found) != 1 or found[0].value is None:
        return
    value = found[0].value
    target = found[0].targets[0] if isinstance(found[0], ast.Assign) else found[0].target
    items = getattr(value, "elts", None)
    changes: list[Change]
    if items:
        inside = text.src.segment(value)
        if isinstance(value, ast.Tuple) and not inside.startswith("("):
            inside = f"({inside})"
        pair = {"list": "[]", "tuple": "()", "set": "{}"}.get(kind)
        if pair is None:
            return
        body = inside[1:-1]
        if kind == "tuple" and len(items) == 1 and not body.rstrip().endswith(","):
            body += ","
        yield text.changed([(*text.src.span(value), pair[0] + body + pair[1])])
        return
    if isinstance(value, ast.Dict) and value.keys:
        return
    changes = [(*text.src.span(value), _EMPTY[kind])]
    name = text.src.segment(target)
    scope = text.src.function_of(found[0]) or text.src.tree
    for node in ast.walk(scope) if scope is not None else ():
        if isinstance(node, ast.Attribute) and text.src.segment(node.value) == name:
            ways = {"append": "add", "add": "append"}
            if (node.attr, kind) in (("append", "set"), ("add", "list")):
                changes.append((text.src.span(node)[1] - len(node.attr), text.src.span(node)[1], ways[node.attr]))
            elif node.attr in ("append", "add") and kind in ("dict", "tuple"):
                return
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0]
            if text.src.segment(key.value) == name and kind in ("set", "list"):
                if not isinstance(node.value, ast.Constant):
                    return
                way = "add" if kind == "set" else "append"
                changes.append((*text.src.span(node), f"{name}.{way}({text.src.segment(key.slice)})"))
    yield text.changed(changes)


def _sorts(text: Stands) -> ast.Call | None:
    found = one(
        node
        for node in text.new(ast.Call)
        if isinstance(node, ast.Call)
        and (text.src.segment(node.func) == "sorted" or text.src.segment(node.func).endswith(".sort"))
    )
    return found if isinstance(found, ast.Call) else None


def _turned(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*descending*, *highest first*, *the other way round*: where it is sorted now."""
    call = _sorts(text)
    if call is None:
        return
    stood = [item for item in call.keywords if item.arg == "reverse"]
    wants = bool(match["down"]) or (match["turn"] is not None and not stood)
    if stood and not wants and len(call.args) + len(call.keywords) > 1:
        given = [*call.args, *(item for item in call.keywords if item is not stood[0])]
        last = given[-1]
        end = text.src.span(last.value if isinstance(last, ast.keyword) else last)[1]
        if end < text.src.span(stood[0].value)[0]:
            yield text.changed([(end, text.src.span(stood[0].value)[1], "")])
    elif stood and not wants:
        start = text.src.offset(stood[0].lineno, stood[0].col_offset)
        yield text.changed([(start, text.src.span(stood[0].value)[1], "")])
    elif wants and not stood:
        at = text.src.span(call)[1] - 1
        if call.args and isinstance(call.args[0], ast.GeneratorExp):
            return
        yield text.changed([(at, at, (", " if call.args or call.keywords else "") + "reverse=True")])


def _cased(text: Stands, match: re.Match[str]) -> Iterator[str]:
    """*uppercase*: the one text that was brought."""
    node = one(
        item
        for item in text.new(ast.Constant)
        if isinstance(item, ast.Constant) and isinstance(item.value, str) and re.search(r"\w", item.value)
    )
    if isinstance(node, ast.Constant) and not isinstance(text.src.parents.get(node), (ast.JoinedStr, ast.Expr)):
        stood = text.src.segment(node)
        way = match["c"].lower()
        made = stood.upper() if way in ("upper", "all caps", "caps", "capital letters") else stood.lower()
        if way in ("capitalized", "capitalised"):
            made = stood[0] + stood[1:2].upper() + stood[2:]
        if stood[:1] in "\"'" and "\\" not in stood:
            yield text.changed([(*text.src.span(node), made)])


def _form(form: str) -> re.Pattern[str]:
    return re.compile(form, re.I)


_AND = r"(?:and |but |also |please |just |then |rather |even |only |make (?:it|that|this|them) |it should be |should be |use |with |as |in |sort (?:it |them )?|order (?:it |them )?)*"
RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_form(rf"{_AND}(?:an? )?f[- ]?strings?(?: there)?"), _formatted),
    (_form(rf"{_AND}(?:an? )?(?P<k>list|tuple|set|dict|dictionary|generator(?: expression)?)(?: comprehension)?"), _contained),
    (_form(rf"{_AND}(?:(?P<down>desc(?:ending)?(?: order)?|(?:the )?(?:highest|biggest|largest|newest|latest|most recent|longest|best|greatest|most)(?: \w+)? (?:first|on top|at the top))|(?P<up>asc(?:ending)?(?: order)?|(?:the )?(?:lowest|smallest|oldest|earliest|shortest|least|cheapest)(?: \w+)? (?:first|on top|at the top))|(?P<turn>reversed?(?: order)?|(?:the )?other way (?:a?round)|backwards))"), _turned),
    (_form(rf"{_AND}(?:all )?(?P<c>upper|lower|all caps|caps|capital letters|capitali[sz]ed)(?:[- ]?case)?"), _cased),
)  # fmt: skip

"""What nothing reads goes: *MAX_SIZE is not used, away with it*, *throw out constants nobody uses*.

Comes in: an order. Goes out: edits of the module's own statements. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.imports import without_names
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Function
from spark_tui.refactor.statements.delete import take_out

_KIND = r"(?:constant|variable|function|class|global|helper|import|module|name|setting|const|var)"
_NAME = rf"(?:the\s+)?(?:{_KIND}\s+)?[`'\"]?(?P<name>[^\W\d]\w*)[`'\"]?(?:\(\))?(?:\s+{_KIND})?"
_OFF = r"(?:[\s,;:.–-]+(?:and |so |then )?(?:away with (?:it|that)|(?:please )?(?:kill|remove|delete|drop|ditch|scrap|nuke) (?:it|that)|get rid of (?:it|that)|throw (?:it|that) (?:out|away)|(?:it|that) (?:can|should|must|may|has to) (?:go|be removed|be deleted)|out with (?:it|that)|off with it|take it out|clean (?:it|that) up)(?: please)?)?"
_UNUSED = r"(?:(?:is|are|isn'?t|was|gets?) (?:not |never |no longer |nowhere |un)?(?:really |actually |even )?(?:used|needed|read|referenced|in use)(?: anywhere| any ?more| at all| here| now)*|(?:is|are) (?:unused|dead(?: code)?|useless|superfluous|obsolete|left ?over))"
_FORMS = tuple(
    re.compile(rf"^(?:{form})\W*$", re.I)
    for form in (
        rf"{_NAME} {_UNUSED}{_OFF}",
        rf"(?:nobody|nothing|no one|noone) (?:here )?(?:uses|needs|reads|calls|references) {_NAME}(?: any ?more| anywhere)?{_OFF}",
        rf"{_NAME} (?:can|should|must|may|has to) (?:go(?: away)?|be (?:removed|deleted|dropped))",
        rf"(?:away|out|off) with (?:the (?:unused|dead|old) )?{_NAME}",
        rf"(?:we |i )?(?:don'?t|do not|no longer) (?:need|use|want) {_NAME}(?: any ?more| anywhere| here)*{_OFF}",
        rf"(?:remove|delete|drop|get rid of|kill|throw out|clean up) (?:the )?(?:unused|dead|useless|superfluous|obsolete|never used) {_NAME}",
    )
)
_SOME = re.compile(
    r"^(?:remove|delete|drop|get rid of|kill|throw (?:out|away)|clean up|away with)\s+(?:all |the |any |every )*(?:(?:unused|dead|never used) (?P<a>constants?|functions?|globals?|helpers?)|(?P<b>constants?|functions?|globals?|helpers?) (?:that )?(?:nobody uses|nothing uses|no one uses|are (?:never|not) used|(?:is|are) unused|nobody needs))\W*$",
    re.I,
)


def unused(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is None or src.headers:
        return
    for form in _FORMS:
        found = form.match(order.said)
        if found is None:
            continue
        name = found["name"]
        if (
            re.search(r"\bis used\b|\bare used\b|\bis needed\b|\bare needed\b", found[0])
            or len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", src.text)) != 1
        ):
            return
        for node in src.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) and name in [
                (one.asname or one.name) for one in node.names
            ]:
                yield order.edit(without_names(src, node, {name}), found[0])
                return
            if name in _names(node):
                yield order.edit(take_out(src, [(src.first_line(node), src.last_line(node))]), found[0])
                return
        return
    some = _SOME.match(order.said)
    if some is not None:
        kind = (some["a"] or some["b"]).lower().rstrip("s")
        gone = [
            node
            for node in src.tree.body
            if any(
                _fits(node, one, kind) and len(re.findall(rf"(?<!\w){re.escape(one)}(?!\w)", src.text)) == 1
                for one in _names(node)
            )
        ]
        if gone:
            yield order.edit(take_out(src, [(src.first_line(node), src.last_line(node)) for node in gone]), some[0])


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, Function | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return [node.targets[0].id]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _fits(node: ast.stmt, name: str, kind: str) -> bool:
    if kind in ("function", "helper"):
        return isinstance(node, Function) and name != "main" and not node.decorator_list
    return isinstance(node, ast.Assign | ast.AnnAssign) and (kind == "global" or name.isupper())


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\b(?:un)?used\b|\buses?\b|\bneed|\bdead\b|\bcan go\b|\bshould go\b|\bmust go\b|\baway\b|\bwith\b|useless|superfluous|obsolete|removed|deleted|\bout\b|left ?over|\breads\b|\bcalls\b",
            re.I,
        ),
        unused,
    ),
)

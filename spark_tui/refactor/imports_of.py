"""Where a new import goes: its group and its order, as far as the file keeps any.

Comes in: a source and an import as a line. Goes out: the change that adds it, or None where it is there or the top of
the file is not shown. Must not know: instructions.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from spark_tui.refactor.source import Change, Source, docstring, parse

Import = ast.Import | ast.ImportFrom
FUTURE, STANDARD, THIRD, LOCAL = range(4)
_LONGEST = 100
_SURE = 3
"""So many imports of one group in one order are no chance."""


def module_of(node: Import) -> str:
    """`a.b` of the first name that it imports, with the dots of a relative one."""
    return "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def rank(node: Import) -> int:
    """The group it belongs to, as PEP 8 has them."""
    first = module_of(node).split(".")[0]
    if not first:
        return LOCAL
    return FUTURE if first == "__future__" else STANDARD if first in sys.stdlib_module_names else THIRD


def bound(alias: ast.alias, node: Import) -> str:
    """The name that an import gives to the file."""
    if alias.asname:
        return alias.asname
    return alias.name.split(".")[0] if isinstance(node, ast.Import) else alias.name


def imports_in(src: Source) -> list[Import]:
    """The imports at the top level of what is shown."""
    if src.tree is None:
        return []
    return [
        node
        for node in src.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno > len(src.headers)
    ]


def leading(src: Source) -> list[Import]:
    """Those in front of the first definition; else all."""
    found = imports_in(src)
    body = src.tree.body if src.tree else []
    first = min(
        (one.lineno for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)),
        default=0,
    )
    return [node for node in found if node.lineno < first] or found


def read_import(line: str) -> Import | None:
    """The node of a line like `from a import b`."""
    tree = parse(line.strip())
    one = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    return one if isinstance(one, ast.Import | ast.ImportFrom) else None


def with_import(src: Source, line: str) -> Change | None:
    """What adds an import; None where it is there, or cannot be placed."""
    return next(iter(ways_to_import(src, line)), None)


def ways_to_import(src: Source, line: str) -> list[Change]:
    """The best place for it, and the one behind all others where the file shows no order by which to decide."""
    new = read_import(line)
    if new is None or src.tree is None or src.headers or _is_there(src, new):
        return []
    there = leading(src)
    if isinstance(new, ast.ImportFrom):
        same = [one for one in there if isinstance(one, ast.ImportFrom) and module_of(one) == module_of(new)]
        same = [one for one in same if one.names[0].name != "*"]
        if same and len(new.names) == 1 and new.names[0].name != "*":
            return [_joined(src, same[-1], ast.unparse(new).partition(" import ")[2])]
    text = line.strip()
    if not there:
        return [_at_top(src, text)]
    best, sure = _placed(src, there, new, text)
    last = src.starts[src.last_line(there[-1])]
    return [best] if sure or best == (last, last, f"{text}\n") else [best, (last, last, f"{text}\n")]


def _is_there(src: Source, new: Import) -> bool:
    have = {
        (module_of(node) if isinstance(node, ast.ImportFrom) else "", alias.name, bound(alias, node))
        for node, alias in _names(src)
    }
    wanted = [
        (module_of(new) if isinstance(new, ast.ImportFrom) else "", alias.name, bound(alias, new))
        for alias in new.names
    ]
    return all(one in have for one in wanted)


def _names(src: Source) -> Iterator[tuple[Import, ast.alias]]:
    """What is imported at the top level, also where it is tried."""
    for node in src.tree.body if src.tree else []:
        for one in ast.walk(node) if isinstance(node, ast.Try) else (node,):
            if isinstance(one, ast.Import | ast.ImportFrom):
                yield from ((one, alias) for alias in one.names)


# -- into a from-import that is there --------------------------------------------------------------------------------


def _by_type(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2), name.lower()


_ORDERS: tuple[Callable[[str], Any], ...] = (_by_type, str.lower, str)


def _joined(src: Source, node: ast.ImportFrom, new: str) -> Change:
    spans = [src.span(alias) for alias in node.names]
    names = [alias.name for alias in node.names]
    between = {src.text[one[1] : two[0]] for one, two in pairwise(spans)}
    gap = between.pop() if len(between) == 1 else ", "
    opened = src.text[src.span(node)[0] : spans[0][0]].rpartition("(")
    if len(names) == 1 and opened[1] and "\n" in opened[2] and "#" not in opened[2]:
        gap = "," + opened[2]
    if "#" in gap:
        gap = ", "
    at = len(names)
    order = next((key for key in _ORDERS if names == sorted(names, key=key)), None)
    if order is not None:
        at = next((index for index, name in enumerate(names) if order(name) > order(new.split()[0])), at)
    line = src.lines[src.line_at(spans[0][0])]
    if (
        not opened[1]
        and node.lineno == node.end_lineno
        and len(line) + len(gap + new) > max(_LONGEST, *map(len, src.lines))
    ):
        end = src.starts[src.last_line(node)]
        return end, end, f"from {module_of(node)} import {new}\n"
    if at < len(names):
        return spans[at][0], spans[at][0], new + gap
    return spans[-1][1], spans[-1][1], gap + new


# -- a line of its own -----------------------------------------------------------------------------------------------


def _at_top(src: Source, text: str) -> Change:
    """In front of the code, behind what has to be first: a shebang, a licence, the docstring."""
    tree, at = src.tree, 0
    assert tree is not None
    first = docstring(tree)
    if first is not None:
        at = src.last_line(first)
        while at < len(src.lines) and not src.lines[at].strip():
            at += 1
    else:
        head = 0
        while head < len(src.lines) and src.lines[head].startswith("#"):
            head += 1
            if re.match(r"#!|#.*coding[:=]", src.lines[head - 1]):
                at = head
        if head < len(src.lines) and not src.lines[head].strip():
            at = head
        while at < len(src.lines) and not src.lines[at].strip():
            at += 1
    start = src.starts[at]
    before = "\n" if at and src.lines[at - 1].strip() and not src.lines[at - 1].startswith("#") else ""
    if at == len(src.lines):
        return start, start, f"{before}{text}\n"
    code = next((line for line in src.lines[at:] if line.strip() and not line.startswith("#")), "")
    heavy = re.match(r"(?:async\s+)?def\b|class\b|@", code)
    return start, start, before + text + ("\n\n\n" if heavy else "\n\n")


def _plain_first(node: Import) -> tuple[bool, str]:
    return isinstance(node, ast.ImportFrom), module_of(node).lower()


def _by_module(node: Import) -> tuple[str, bool]:
    return module_of(node).lower(), isinstance(node, ast.ImportFrom)


def _by_length(node: Import) -> int:
    return len(ast.unparse(node))


_WAYS: tuple[Callable[[Import], Any], ...] = (_plain_first, _by_module, _by_length)


def _placed(src: Source, there: Sequence[Import], new: Import, text: str) -> tuple[Change, bool]:
    own = [one for one in there if rank(one) == rank(new)]
    if not own:
        return _own_group(src, there, rank(new), text), rank(new) == FUTURE
    if rank(new) == THIRD:
        kin = [one for one in own if _package(one) == _package(new)]
        blocks = _blocks(src, own)
        own = next((block for block in blocks if kin and kin[-1] in block), blocks[0])
    insert = partial(_beside, src, text=text)
    for key in _WAYS:
        if list(own) == sorted(own, key=key) and (key is not _by_length or len(own) > _SURE):
            after = [one for one in own if key(one) <= key(new)]
            change = insert(after[-1], True) if after else insert(own[0], False)
            return change, len(own) >= _SURE
    alike = [one for one in own if type(one) is type(new)]
    return insert((alike or own)[-1], True), len(alike) >= _SURE


def _package(node: Import) -> str:
    return module_of(node).split(".")[0]


def _blocks(src: Source, nodes: Sequence[Import]) -> list[list[Import]]:
    """Imports that no blank line parts."""
    out: list[list[Import]] = []
    for node in nodes:
        apart = not out or any(
            not line.strip() for line in src.lines[src.last_line(out[-1][-1]) : src.first_line(node)]
        )
        out += [[node]] if apart else []
        out[-1] += [] if apart else [node]
    return out


def _beside(src: Source, node: Import, behind: bool, text: str) -> Change:
    at = src.starts[src.last_line(node) if behind else src.first_line(node)]
    return at, at, f"{text}\n"


def _own_group(src: Source, there: Sequence[Import], own: int, text: str) -> Change:
    """A new group, parted from the others unless the file parts none."""
    lower = [one for one in there if rank(one) < own]
    apart = len(_blocks(src, there)) > 1 or len({rank(one) for one in there}) == 1
    gap = "\n" if apart or own == FUTURE else ""
    if lower:
        at = src.starts[src.last_line(lower[-1])]
        return at, at, f"{gap}{text}\n"
    first = src.first_line(there[0])
    while first and src.lines[first - 1].startswith("#") and not src.lines[first - 1].startswith("#!"):
        first -= 1
    if first == 0:
        first = src.first_line(there[0])
    return src.starts[first], src.starts[first], f"{text}\n{gap}"

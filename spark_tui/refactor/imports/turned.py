"""Imports turned about: names instead of the module, the module instead of names, an alias; uses follow.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said
from spark_tui.refactor.imports.known import ALIASES
from spark_tui.refactor.imports_of import bound, imports_in, module_of, ways_to_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source, parameters

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "import imports imported importing use uses used using from-import directly direct instead rather than not module whole name names convert change turn switch make replace say write "
        "only there just code with wants reviewer todo alias aliased as through via qualified qualify prefix attribute prefer plain style call access everywhere reference references",
    )
)
_NAME = r"[^\W\d]\w*"
_MODULE = rf"{_NAME}(?:\.{_NAME})*"
_WANTS = re.compile(
    rf"\bfrom (?P<module>{_MODULE}) import (?P<names>{_NAME}(?:(?:, ?| and (?!use\b|then\b|drop\b|replace\b)){_NAME})*)"
    rf"|\b(?:import|use|say|write|want)? ?(?:the |just the |only the )?names? (?P<name2>{_NAME}) (?:and not|not|instead of|rather than) (?:the )?(?:whole )?module (?P<module2>{_MODULE})"
    rf"|module import of (?P<module3>{_MODULE}) (?:->|=>|to|into) name import of (?P<name3>{_NAME})"
    rf"|(?<![\w.])(?P<module4>{_MODULE}) is only (?:there|imported|used|needed) for (?P<name4>{_NAME})"
    rf"|(?<![\w.])(?P<name5>{_NAME}) (?:directly,? )?(?:instead of|not|rather than) (?P<module5>{_MODULE})\.(?P=name5)\b"
    rf"|from[ -]imports? (?:for|of|with|from) (?P<module6>{_MODULE})|\bimport (?P<module7>{_MODULE}) (?:to|into|as) a from[ -]import"
    rf"|(?<![\w.])import (?P<name8>{_NAME}) (?:directly )?(?:from (?P<module8>{_MODULE})) (?:instead|directly|rather)"
    rf"|\bimport (?:only|just) (?P<name9>{_NAME}) (?:from|out of) (?P<module9>{_MODULE})|\bonly import (?P<name10>{_NAME}) from (?P<module10>{_MODULE})",
    re.I,
)


def _spoken(said: Said) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\(\)", "", said.plain(said.text))).strip()


def _attributes(src: Source, module: str) -> list[ast.Attribute] | None:
    """Every `module.name` that is shown; None where the module is used in another way."""
    parts = module.split(".")
    out = []
    for node in src.nodes:
        if isinstance(node, ast.Name) and node.id == parts[0]:
            at: ast.AST = node
            for part in parts[1:]:
                above = src.parents.get(at)
                if not isinstance(above, ast.Attribute) or above.attr != part:
                    return None
                at = above
            user = src.parents.get(at)
            if not isinstance(user, ast.Attribute) or not isinstance(node.ctx, ast.Load):
                return None
            out.append(user)
    return out


def _bound_in(src: Source) -> set[str]:
    """Names that the code itself gives to something."""
    out = {node.id for node in src.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    out |= {node.name for node in (*src.functions, *src.classes)}
    out |= {one.arg for node in src.functions for one in parameters(node)}
    out |= {
        bound(alias, node)
        for node in src.nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return out


def _to_names(order: Order) -> Iterator[Edit]:
    """`import os` and `os.getcwd()` become `from os import getcwd` and `getcwd()`."""
    src = order.src
    said = Said(order, VOCABULARY)
    text = _spoken(said)
    found = _WANTS.search(text)
    if not found:
        return
    groups = {key: value for key, value in found.groupdict().items() if value}
    module = next((value for key, value in groups.items() if key.startswith("module")), "")
    names = next((re.split(r", ?| and ", value) for key, value in groups.items() if key.startswith("name")), [])
    node = next(
        (
            one
            for one in imports_in(src)
            if isinstance(one, ast.Import) and any(alias.name == module and not alias.asname for alias in one.names)
        ),
        None,
    )
    uses = _attributes(src, module) if node is not None else None
    if node is None or not uses:
        return
    said.place()
    wanted = names or list(dict.fromkeys(one.attr for one in uses))
    hit = [one for one in uses if one.attr in wanted]
    if not hit or len(wanted) > 4 or _bound_in(src) & set(wanted) or {one.attr for one in hit} != set(wanted):
        return
    changes: list[Change] = [(*src.span(one), one.attr) for one in hit]
    line = f"from {module} import {', '.join(wanted)}"
    if len(hit) == len(uses) and len(node.names) == 1:
        changes.append((*src.span(node), line))
    else:
        way = ways_to_import(src, line)
        changes += way[:1]
        if not way:
            return
    yield order.edit(
        changes, *said.understood, module, *wanted, found[0] if names else "", *(f"{module}.{one}" for one in wanted)
    )


_BACK = re.compile(
    rf"\bimport (?P<module1>{_MODULE}) (?:and use (?P=module1)\.\w+|instead of from (?P=module1) import|rather than from)"
    rf"|(?<![\w.])(?P<module2>{_MODULE})\.(?P<name2>{_NAME}) (?:instead of|rather than|not) (?:just |plain |bare |a bare )?(?P=name2)\b"
    rf"|\bimport the (?:whole )?module (?P<module3>{_MODULE}) (?:instead|rather|and not|not)|\b(?:no|without) from[ -]imports? (?:for|of|from) (?P<module4>{_MODULE})",
    re.I,
)


def _to_module(order: Order) -> Iterator[Edit]:
    """`from os import getcwd` and `getcwd()` become `import os` and `os.getcwd()`."""
    src = order.src
    said = Said(order, VOCABULARY)
    found = _BACK.search(_spoken(said))
    module = (
        next((value for key, value in found.groupdict().items() if value and key.startswith("module")), "")
        if found
        else ""
    )
    nodes = [one for one in imports_in(src) if isinstance(one, ast.ImportFrom) and module_of(one) == module]
    if not found or len(nodes) != 1 or any(alias.asname or alias.name == "*" for alias in nodes[0].names):
        return
    names = {alias.name for alias in nodes[0].names}
    only = found.groupdict().get("name2")
    uses = [one for one in src.nodes if isinstance(one, ast.Name) and one.id in names]
    others = [
        one
        for one in src.nodes
        if isinstance(one, ast.Name) and one.id == module.split(".")[0] and not isinstance(one.ctx, ast.Load)
    ]
    if not uses or any(not isinstance(one.ctx, ast.Load) for one in uses) or others or (only and names != {only}):
        return
    if any(one.arg in names for node in src.functions for one in parameters(node)):
        return
    said.place()
    changes: list[Change] = [(*src.span(one), f"{module}.{one.id}") for one in uses]
    there = any(
        isinstance(one, ast.Import) and any(alias.name == module and not alias.asname for alias in one.names)
        for one in imports_in(src)
    )
    first, last = src.first_line(nodes[0]), src.last_line(nodes[0])
    changes.append((*src.line_span(first, last), "") if there else (*src.span(nodes[0]), f"import {module}"))
    yield order.edit(changes, *said.understood, module, *names, "from", found[0])


_ALIAS = re.compile(
    rf"\bimport (?P<module1>{_MODULE}) as (?P<as1>{_NAME})|\balias (?:for )?(?P<module2>{_MODULE}) (?:as|to|should be) (?P<as2>{_NAME})"
    rf"|(?<![\w.])(?P<module3>{_MODULE}) (?:should be |is |gets )?(?:imported |aliased )?as (?P<as3>{_NAME})|\bas (?P<as4>{_NAME}),? (?:not|instead of) (?P<module4>{_MODULE})|\busual alias for (?P<module5>{_MODULE})|\b(?:rename|alias|shorten) the (?P<module6>{_MODULE}) import (?:to|as) (?P<as6>{_NAME})",
    re.I,
)


def _to_alias(order: Order) -> Iterator[Edit]:
    """`import numpy` and `numpy.zeros()` become `import numpy as np` and `np.zeros()`."""
    src = order.src
    said = Said(order, VOCABULARY)
    found = _ALIAS.search(_spoken(said))
    groups = {key: value for key, value in found.groupdict().items() if value} if found else {}
    module = next((value for key, value in groups.items() if key.startswith("module")), "")
    alias = next((value for key, value in groups.items() if key.startswith("as")), "")
    if module and not alias:
        alias = next((key for key, line in ALIASES.items() if line.startswith(f"import {module} as ")), "")
    nodes = [
        (node, one)
        for node in imports_in(src)
        if isinstance(node, ast.Import)
        for one in node.names
        if one.name == module
    ]
    if not found or not alias or len(nodes) != 1 or alias in _bound_in(src):
        return
    one = nodes[0][1]
    parts = module.split(".")
    old = one.asname or parts[0]
    changes: list[Change] = [(*src.span(one), f"{module} as {alias}")]
    for name in src.nodes:
        if isinstance(name, ast.Name) and name.id == old:
            at: ast.AST = name
            for part in () if one.asname else parts[1:]:
                above = src.parents.get(at)
                if not isinstance(above, ast.Attribute) or above.attr != part:
                    return
                at = above
            if not isinstance(name.ctx, ast.Load):
                return
            changes.append((*src.span(at), alias))
    said.place()
    yield order.edit(changes, *said.understood, found[0], module, alias, "usual", "common")


_TURN = re.compile(r"\bimp|\bfrom\b|\bdirectly\b|\binstead\b|\bnot\b|\brather\b|\balias|\bas\b", re.I)
RULES: tuple[Rule, ...] = (Rule(_TURN, _to_names), Rule(_TURN, _to_module), Rule(_TURN, _to_alias))

"""Imports as they are ordered: add one, take one out, take out what nothing uses, sort them.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said
from spark_tui.refactor.imports import errors as imports_errors
from spark_tui.refactor.imports import turned as imports_turned
from spark_tui.refactor.imports.known import ALIASES, FROM, import_for, is_module
from spark_tui.refactor.imports_of import Import, bound, imports_in, module_of, rank, ways_to_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Source

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "import imports imported importing add adding include insert extend append missing need needs needed more extra put statement rest other others "
        "remove delete drop kill nuke strip clean cleanup clear take rid lose erase cut leftover left-over unused unnecessary useless redundant superfluous dead stale "
        "used use uses using any anymore more longer never nothing nobody keep only gone that's are isn't isnt aren't don't dont doesn't doesnt no not without "
        "ruff flake8 pyflakes pylint f401 i001 w0611 isort library lib package module modules top file go goes kick throw away must why consistency fix but pyflakes",
    )
)
_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FROM_LINE = re.compile(
    rf"\bfrom (?P<module>\.*{_NAME}|\.+) import (?P<names>[^\W\d]\w*(?: as \w+)?(?:, ?[^\W\d]\w*(?: as \w+)?)*|\*)"
)
_FROM_SAID = re.compile(
    rf"(?P<names>\b(?!import\b|imports\b|missing\b|the\b|it\b)[^\W\d]\w*(?:(?:, | and |, and )[^\W\d]\w*)*) (?:from|out of|of) (?:the )?(?P<module>{_NAME})\b(?! import)"
)
_IMPORT_LINE = re.compile(
    rf"\bimport (?P<module>{_NAME}) as (?P<as>\w+)|^import (?P<several>{_NAME}(?:(?:, | and |, and ){_NAME})*)$", re.I
)
_REMOVE = re.compile(
    r"\b(?:remove|delete|drop|kill|nuke|strip|clean(?:up)?|clear|take (?:it )?out|take|get rid|lose|erase|cut|kick|throw|un-?used|leftover|left-over|unnecessary|useless|redundant|superfluous|f401|w0611|can go|must go|should go"
    r"|not used|n'?t used|never used|no longer|any ?more|n'?t need|not need|no need)\b",
    re.I,
)


def _spoken(said: Said) -> str:
    """What was said, without what stood around names; *pathlib's Path* is *Path from pathlib*."""
    text = re.sub(r"\s+", " ", re.sub(r"\(\)", "", said.plain(said.text))).strip()
    return re.sub(
        r"(?<![\w.])(\w+)'s (\w+)", lambda one: f"{one[2]} from {one[1]}" if is_module(one[1]) else one[0], text
    )


def _add(order: Order) -> Iterator[Edit]:
    said = Said(order, VOCABULARY)
    if _REMOVE.search(said.text):
        return
    said.place()
    text = _spoken(said)
    if not re.search(r"\bimport(?:s|ed|ing)?\b", text, re.I):
        return
    if re.search(
        r"->|=>|\b(?:(?:not|never)(?! import)|sort|order|instead|rather|directly|unsorted|convert|replace|change|lazy|local|inside|circular|relative|absolute)\b",
        text,
        re.I,
    ):
        return
    lines, named = _lines_said(order, text)
    if not lines:
        return
    if not re.search(r"\badd\b", text, re.I) and any(True for rule in imports_turned.RULES for _ in rule.make(order)):
        return  # uses are to follow
    asked = re.search(
        r"\b(?:add|needs?|missing|put|insert|include|extend|imported|append|more)\b|^import\b", text, re.I
    )
    there = {module_of(node) for node in imports_in(order.src) if isinstance(node, ast.ImportFrom)}
    wanted = asked or any(
        line.split()[1] in (*there, "__future__") or line.split()[-1] in order.identifiers for line in lines
    )
    used = (*said.understood, *(lines if wanted else ()), *named)
    if len(lines) == 1:
        for change in ways_to_import(order.src, lines[0]):
            yield order.edit([change], *used)
        return
    src = order.src
    for line in lines:
        ways = ways_to_import(src, line)
        if ways:
            src = Source(src.changed(ways[:1]).split("\n")[:-1])
    if src is not order.src:
        yield order.edit_text(src.text, *used)


def _lines_said(order: Order, text: str) -> tuple[list[str], list[str]]:
    """The imports that an order names, as lines."""
    explicit = list(_FROM_LINE.finditer(text))
    if explicit:
        return [re.sub(r",(?=\S)", ", ", found[0]) for found in explicit], []
    ticked = [one for one in order.quoted if re.fullmatch(rf"import {_NAME}", one)]
    if ticked:
        return ticked, []
    explicit = [found for found in _IMPORT_LINE.finditer(text) if found["as"]]
    if explicit:
        return [found[0] if found[0].startswith("import") else found[0].lower() for found in explicit], []
    said = _FROM_SAID.search(text)
    if said and is_module(said["module"]):
        names = re.split(r", and | and |, ", said["names"])
        names = [name for name in names if name not in FILLERS and name.lower() not in VOCABULARY]
        known = all(
            FROM.get(name) == said["module"]
            or name in order.identifiers
            or name[:1].isupper()
            or name == said["module"]
            or name in order.quoted
            for name in names
        )
        known = known or any(f"{name} from {said['module']}" in one for one in order.quoted for name in names)
        if names and known:
            return [f"from {said['module']} import {', '.join(names)}"], []
    if re.search(r"\bfrom\b", text):
        return [], []
    rest = [
        word for word in re.findall(rf"{_NAME}", text) if word.lower() not in FILLERS and word.lower() not in VOCABULARY
    ]
    rest = list(dict.fromkeys(rest))
    lines = []
    for word in rest:
        in_ticks = word in order.quoted
        low = word.lower() if not is_module(word) and is_module(word.lower()) and word not in FROM else word
        line = import_for(low, order.src)
        alias = next((one for one in ALIASES.values() if one.startswith(f"import {word} as ")), None)
        if alias and re.search(rf"(?<![\w.]){alias.split()[-1]}\.", order.src.text):
            line = alias
        if line is None and (
            in_ticks
            or re.search(rf"(?:^|\b(?:add|missing|need|forgot to|an?|the|to|:) )import {re.escape(word)}$", text)
        ):
            line = f"import {word}"
        if line is None:
            return [], []
        lines.append(line)
    return (lines, rest) if len(lines) <= 3 else ([], [])


# -- take out --------------------------------------------------------------------------------------------------------


def without_names(src: Source, node: Import, names: set[str]) -> list[Change]:
    """An import without some of the names that it binds; without any, the line goes."""
    kept = [alias for alias in node.names if bound(alias, node) not in names]
    first, last = src.first_line(node), src.last_line(node)
    if not kept:
        if src.block(node) == [node]:
            return [(*src.span(node), "pass")]
        while (
            last < len(src.lines) and not src.lines[last].strip() and (first == 0 or not src.lines[first - 1].strip())
        ):
            last += 1
        start, end = src.line_span(first, last)
        alone = src.text[src.starts[first] : src.span(node)[0]].strip() == "" and not re.match(
            r"\s*;", src.text[src.span(node)[1] :]
        )
        return [(start, end, "")] if alone else []
    out: list[Change] = []
    spans = [src.span(alias) for alias in node.names]
    for at, alias in enumerate(node.names):
        if bound(alias, node) not in names:
            continue
        if at + 1 < len(spans) and (at == 0 or any(one in kept for one in node.names[at + 1 :])):
            out.append((spans[at][0], spans[at + 1][0], ""))
        else:
            before = max(index for index in range(at) if node.names[index] in kept)
            out.append((spans[before][1], spans[at][1], ""))
    merged: list[Change] = []
    for change in sorted(out):
        if merged and change[0] < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], change[1]), "")
        else:
            merged.append(change)
    return merged


def used_names(src: Source) -> set[str]:
    """What the code names outside of imports, in strings too: annotations and `__all__` are strings."""
    out: set[str] = set()
    for node in src.nodes:
        if isinstance(node, ast.Name):
            out.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            parent = src.parents.get(node)
            if not isinstance(parent, ast.Expr):
                out.update(re.findall(r"[^\W\d]\w*", node.value))
    return out


def _unused(src: Source) -> list[tuple[Import, str]]:
    used = used_names(src)
    out = []
    for node in src.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom) or module_of(node) == "__future__":
            continue
        if "noqa" in src.lines[src.first_line(node)] or any(isinstance(one, ast.Try) for one in src.ancestors(node)):
            continue
        out += [
            (node, bound(one, node))
            for one in node.names
            if one.name not in ("*", one.asname) and bound(one, node) not in used
        ]
    return out


def _remove(order: Order) -> Iterator[Edit]:
    said = Said(order, VOCABULARY)
    src = order.src
    if not _REMOVE.search(said.text) and not re.search(
        r"\bkeep only\b|\bno unused\b|\bonly (?:the )?(?:imports )?(?:that are )?used\b", said.text, re.I
    ):
        return
    said.place()
    text = _spoken(said)
    about = re.search(r"\bimport(?:s|ed|ing)?\b|\bf401\b|\bw0611\b", text, re.I) is not None
    every = [node for node in src.nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    spoken = set(words(text)) | {word.lower() for word in re.findall(r"[^\W\d]\w*", text)}
    named = [
        (node, bound(alias, node), alias)
        for node in every
        for alias in node.names
        if (bound(alias, node).lower() in spoken or (alias.asname and alias.name.lower() in spoken))
        and bound(alias, node).lower() not in VOCABULARY
    ]
    from_module = (
        []
        if named
        else [
            node
            for node in every
            if isinstance(node, ast.ImportFrom) and module_of(node).lower() in text.lower().split()
        ]
    )
    gone: list[tuple[Import, str]]
    if named:
        used = used_names(src)
        busy = [name for _, name, _ in named if name in used]
        claims = re.search(
            r"un-?used|not used|n'?t used|never used|useless|f401|w0611|n'?t use\b|n'?t need|no longer|any ?more|nothing (?:needs|uses)|leftover",
            text,
            re.I,
        )
        if (busy and (claims or not about)) or (not about and not claims):
            return
        gone = [(node, name) for node, name, _ in named]
        if len({name for _, name in gone}) < len(gone):
            return
        said.understood += [piece for node, name, alias in named for piece in (name, alias.name, module_of(node))]
        said.understood += ["from", "code"]
    elif from_module and about and len(from_module) == 1:
        gone = [(from_module[0], bound(alias, from_module[0])) for alias in from_module[0].names]
        said.understood += [module_of(from_module[0])]
    elif about and re.search(
        r"\bun-?used|not used|n'?t used|never used|unnecessary|useless|redundant|superfluous|keep only|are used|f401|dead\b",
        text,
        re.I,
    ):
        gone = _unused(src)
    else:
        return
    changes: list[Change] = []
    for node in dict.fromkeys(node for node, _ in gone):
        changes += without_names(src, node, {name for one, name in gone if one is node})
    if changes:
        yield order.edit(changes, *said.understood)


# -- sort ------------------------------------------------------------------------------------------------------------

_SORT_WORDS = VOCABULARY | frozenset(
    re.findall(
        r"\S+",
        "sort sorted sorting sortieren order ordered reorder arrange arranged alphabetical alphabetically alphabetic alphabet abc a-z name names block unsorted organise organize tidy up group grouped groups wants order reviewer so they none by put right proper z",
    )
)
_SORT = re.compile(
    r"\b(?:i?sort(?:ed|ing)?|unsorted|(?:re)?order(?:ed)?|arrange[ds]?|alphabet\w*|i001|a[ -](?:to[ -])?z|organi[sz]e[ds]?|by name)\b",
    re.I,
)


def _sort(order: Order) -> Iterator[Edit]:
    said = Said(order, _SORT_WORDS)
    if not _SORT.search(said.text) or not (re.search(r"\bimports?\b|\bisort\b|\bi001\b", said.text, re.I)):
        return
    src = order.src
    said.place()
    blocks: list[list[Import]] = []
    for node in imports_in(src):
        near = blocks and not any(
            not line.strip() or line.startswith("#")
            for line in src.lines[src.last_line(blocks[-1][-1]) : src.first_line(node)]
        )
        near = near and src.first_line(node) == src.last_line(blocks[-1][-1])
        if near:
            blocks[-1].append(node)
        else:
            blocks.append([node])
    used = said.understood
    plain = _ordered(src, blocks)
    named = any(
        isinstance(node, ast.ImportFrom) for block in blocks for node in block if len({rank(one) for one in block}) > 1
    )
    if plain and (not named or len(blocks) > 1):
        yield order.edit(plain, *used)
    mixed = [block for block in blocks if len({rank(node) for node in block}) > 1]
    if plain and mixed and re.search(r"\bisort\b|\bi001\b|\bgroup|\bsort", said.text, re.I) and len(blocks) == 1:
        grouped = _grouped(src, mixed[0])
        if grouped:
            yield order.edit(grouped, *used)


def _key(node: Import) -> tuple[bool, bool, str]:
    return module_of(node) != "__future__", isinstance(node, ast.ImportFrom), module_of(node).lower()


def _lines(src: Source, node: Import) -> str:
    return src.text[slice(*src.line_span(src.first_line(node), src.last_line(node)))]


def _ordered(src: Source, blocks: list[list[Import]]) -> list[Change]:
    out: list[Change] = []
    for block in blocks:
        ordered = sorted(block, key=_key)
        if ordered != block:
            start, end = src.starts[src.first_line(block[0])], src.starts[src.last_line(block[-1])]
            out.append((start, end, "".join(_lines(src, node) for node in ordered)))
    return out


def _grouped(src: Source, block: list[Import]) -> list[Change]:
    groups = [sorted((node for node in block if rank(node) == number), key=_key) for number in range(4)]
    start, end = src.starts[src.first_line(block[0])], src.starts[src.last_line(block[-1])]
    new = "\n".join("".join(_lines(src, node) for node in group) for group in groups if group)
    return [(start, end, new)] if new != src.text[start:end] else []


_IMPORTS = re.compile(r"\bimp|\bipm|\bim[a-z]?ort", re.I)
RULES: tuple[Rule, ...] = (
    Rule(_IMPORTS, _add),
    Rule(re.compile(r"\bimp|\bf401\b|\bw0611\b|\b(?:un-?)?used?\b|\bneeds?\b", re.I), _remove),
    Rule(re.compile(r"\bimp|\bisort\b|\bi001\b", re.I), _sort),
    *imports_turned.RULES,
    *imports_errors.RULES,
)

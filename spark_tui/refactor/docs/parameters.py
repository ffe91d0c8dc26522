"""A parameter in a docstring that is there: a new entry in the style and order of the list, or another text for one.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said, name_words, names_parameter
from spark_tui.refactor.docs.strings import DOC, VOCABULARY
from spark_tui.refactor.docs.text import GOOGLE, NUMPY, REST, about, style_in, style_of, text_of
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Function, Source, docstring, indent_of, parameters

_WORDS = VOCABULARY | frozenset(
    re.findall(
        r"\S+",
        "mention mentions describe parameter param argument arg too means mean entry list called meaning tell about explains lacking that",
    )
)
_HEADS = {
    GOOGLE: re.compile(r"\s*(?:Args|Arguments|Parameters|Params):\s*$"),
    NUMPY: re.compile(r"\s*Parameters\s*$"),
    REST: re.compile(r"\s*:param\b"),
}
_ENTRIES = {
    GOOGLE: re.compile(r"(\s*)\*{0,2}(\w+)(?: ?\(([^)]*)\))?:\s*(.*)"),
    NUMPY: re.compile(r"(\s*)\*{0,2}(\w+)(?: *: *(.*))?$"),
    REST: re.compile(r"(\s*):param (?:[\w.\[\], |]+ )?\*{0,2}(\w+):()\s*(.*)"),
}


def _rule(order: Order) -> Iterator[Edit]:
    said = Said(order, _WORDS)
    about_docs = re.search(
        rf"\b{DOC}\b|\bdocument(?:ed|ing)?\b|\bundocumented\b|\b(?:param(?:eter)?|argument) docs\b|\bdescription\b",
        said.text,
        re.I,
    )
    if not about_docs or re.search(r"\b(?:remove|delete|drop|rename)\b", said.text, re.I):
        return
    said.place()
    found = _meant(order, said)
    if found is None:
        return
    function, name, text = found
    entry = text if text is not None else about(name)
    new = _with_entry(order.src, function, name, entry, change=text is not None)
    if new is None:
        return
    node = docstring(function)
    assert node is not None
    first, last = order.src.first_line(node), order.src.last_line(node)
    around = [one.name for one in order.src.ancestors(function) if isinstance(one, ast.ClassDef)]
    sure = style_of(text_of(function) or "") or style_in(order.src)
    if sure and not _type_is_known(function, name):
        sure = None
    used = (*said.understood, *((name, text or "") if sure else ()), function.name, *name_words(function.name), *around)
    yield order.edit_text(order.src.with_lines(first, last, new), *used)


def _meant(order: Order, said: Said) -> tuple[Function, str, str | None] | None:
    src = order.src
    names = {one.name for one in (*src.functions, *src.classes)}
    every = {one.arg for node in src.functions for one in parameters(node)}
    marks = [number for number in said.texts(*names, *every) if not re.fullmatch(r"\w+ \([^)]*\)", said.quoted[number])]
    if len(marks) > 1:
        return None
    if not marks and not re.search(r"\b(?:document|describe|explain|mention|undocumented|docs for)\b", said.text, re.I):
        return None
    text = said.quoted[marks[0]].strip() if marks else None
    named = order.functions(said.without(*marks))
    inner = [one for one in named if not any(one in src.ancestors(other) for other in named)]
    documented = [one for one in (inner or src.functions) if docstring(one) is not None]
    found = [(one, name) for one in documented if (name := names_parameter(said, one, VOCABULARY))]
    if len(found) != 1 or (inner and found[0][0] not in inner):
        return None
    return found[0][0], found[0][1], text


def _with_entry(src: Source, function: Function, name: str, text: str, change: bool) -> list[str] | None:
    """The lines of the docstring with the entry."""
    node = docstring(function)
    if node is None or '"""' in text or "\\" in text:
        return None
    first, last = src.first_line(node), src.last_line(node)
    lines = list(src.lines[first:last])
    raw = text_of(function) or ""
    style = style_of(raw) or style_in(src) or GOOGLE
    indent = indent_of(lines[0])
    kind = next((src.segment(one.annotation) for one in parameters(function) if one.arg == name and one.annotation), "")
    entries = _entries(lines, style)
    head = next((number for number, line in enumerate(lines) if _HEADS[style].match(line)), None)
    for at, _, found, one in entries:
        if one == name:
            return _changed(lines, at, found, text) if change else None
    if not entries and head is not None and style == GOOGLE:
        return [*lines[: head + 1], f"{indent_of(lines[head])}    {name}: {text}", *lines[head + 1 :]]
    if not entries:
        return _with_section(lines, indent, style, name, text)
    typed = all(found[3] for _, _, found, _ in entries) and kind and style != REST
    inner = entries[0][2][1]
    order = [one.arg for one in parameters(function)]
    at = next(
        (at for at, _, _, one in entries if one in order and order.index(one) > order.index(name)), entries[-1][1]
    )
    if style == REST and re.match(r"\s*:type ", lines[at - 1]):
        at -= 1
    return [
        *lines[:at],
        *_entry(style, inner, name, kind if typed else "", text),
        *lines[at:],
    ]


def _type_is_known(function: Function, name: str) -> bool:
    """Not where the list tells types and the code does not."""
    raw = text_of(function) or ""
    typed = re.search(r"(?m)^\s+\w+ ?\([^)\n]+\):", raw) is not None
    return not typed or any(one.arg == name and one.annotation for one in parameters(function))


def _entry(style: str, indent: str, name: str, kind: str, text: str) -> list[str]:
    if style == GOOGLE:
        return [f"{indent}{name} ({kind}): {text}" if kind else f"{indent}{name}: {text}"]
    if style == NUMPY:
        return [f"{indent}{name} : {kind}" if kind else f"{indent}{name}", f"{indent}    {text}"]
    return [f"{indent}:param {name}: {text}"]


def _changed(lines: list[str], at: int, found: re.Match[str], text: str) -> list[str] | None:
    following = lines[at + 1] if at + 1 < len(lines) else ""
    deeper = following.strip() and len(indent_of(following)) > len(found[1]) and found.re is not _ENTRIES[NUMPY]
    if deeper or found.re is _ENTRIES[NUMPY] or found[4] == text:
        return None
    return [*lines[:at], lines[at][: found.start(4)] + text, *lines[at + 1 :]]


def _entries(lines: list[str], style: str) -> list[tuple[int, int, re.Match[str], str]]:
    """First line, one past the last, and what was read of each parameter that the docstring lists."""
    head = next((at for at, line in enumerate(lines) if _HEADS[style].match(line)), None)
    if head is None:
        return []
    at = head if style == REST else head + (2 if style == NUMPY else 1)
    inner = indent_of(lines[at]) if at < len(lines) else ""
    out: list[tuple[int, int, re.Match[str], str]] = []
    while at < len(lines):
        line = lines[at]
        found = _ENTRIES[style].match(line)
        if found and indent_of(line) == inner and line.strip():
            out.append((at, at + 1, found, found[2]))
        elif line.strip() and len(indent_of(line)) > len(inner) and out and '"""' not in line:
            out[-1] = (out[-1][0], at + 1, *out[-1][2:])
        else:
            break
        at += 1
    return out


def _with_section(lines: list[str], indent: str, style: str, name: str, text: str) -> list[str] | None:
    """A list of parameters where there was none: in front of what is returned or raised, or at the end."""
    entry = _entry(style, indent if style != GOOGLE else f"{indent}    ", name, "", text)
    head = {GOOGLE: [f"{indent}Args:"], NUMPY: [f"{indent}Parameters", f"{indent}----------"], REST: []}[style]
    block = [*head, *entry]
    after = re.compile(
        r"\s*(?::returns?|:raises?|:rtype)" if style == REST else r"\s*(?:Returns|Raises|Yields|Examples?):?\s*$"
    )
    at = next((number for number, line in enumerate(lines) if number and after.match(line)), None)
    if at is not None:
        return [*lines[:at], *block, *([] if style == REST else [""]), *lines[at:]]
    closing = lines[-1].strip()[-3:]
    if closing not in ('"""', "'''"):
        return None
    if len(lines) == 1:
        return [lines[0].rstrip()[:-3].rstrip(), "", *block, f"{indent}{closing}"]
    if lines[-1].strip() == closing:
        return [*lines[:-1], "", *block, lines[-1]]
    return [*lines[:-1], lines[-1].rstrip()[:-3].rstrip(), "", *block, f"{indent}{closing}"]


RULES: tuple[Rule, ...] = (Rule(re.compile(r"\bd[a-z]?[oc]{1,2}[a-z]*|\bdescription\b|\bundocumented\b", re.I), _rule),)

"""The three usual styles of docstrings: how parameters, results and errors are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.slots import Choice

SECTION = re.compile(r"(Args|Arguments|Parameters|Returns|Yields|Raises|Attributes|Examples?|Notes?)\b:?\s*$")
PARAMETER_SECTIONS = ("Args", "Arguments", "Parameters")


class Style(Choice):
    """How a docstring documents parameters."""

    GOOGLE = "google"
    NUMPY = "numpy"
    SPHINX = "sphinx"


@dataclass(frozen=True, slots=True)
class Documented:
    """A parameter, result or error: its type, which may be empty, and its description."""

    name: str
    type: str
    text: str


def sections(
    style: Style,
    parameters: Sequence[Documented],
    returned: Documented | None,
    raised: Sequence[Documented],
    unit: str,
) -> list[str]:
    """The lines of a docstring after its summary, without a blank line in front."""
    if style is Style.SPHINX:
        lines = [f":param {one.name}: {one.text}".rstrip() for one in parameters]
        lines += [f":return: {returned.text}".rstrip()] if returned is not None else []
        return lines + [f":raises {one.name}: {one.text}".rstrip() for one in raised]
    parts = []
    if parameters:
        parts.append(_section(style, "Args" if style is Style.GOOGLE else "Parameters", parameters, unit))
    if returned is not None:
        parts.append(_section(style, "Returns", [returned], unit))
    if raised:
        parts.append(_section(style, "Raises", raised, unit))
    out: list[str] = []
    for one in parts:
        out += ["", *one] if out else one
    return out


def _section(style: Style, title: str, entries: Sequence[Documented], unit: str) -> list[str]:
    if style is Style.GOOGLE:
        return [f"{title}:", *(unit + _google(one) for one in entries)]
    lines = [title, "-" * len(title)]
    for one in entries:
        head = f"{one.name} : {one.type}" if one.name and one.type else one.name or one.type
        lines += [head, *([unit + one.text] if one.text else [])]
    return lines


def _google(one: Documented) -> str:
    if not one.name:
        return one.text or f"{one.type}:"
    head = f"{one.name} ({one.type})" if one.type else one.name
    return f"{head}: {one.text}".rstrip()


def parameter_names(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where the text of a docstring, in any of the styles, has the name of a parameter that it describes."""
    field = re.compile(rf"\s*:(?:param|parameter|arg|argument|key|keyword|type)\s(?:[^:]*\s)?({name})\s*:")
    entry = re.compile(rf"\s*\*{{0,2}}({name})\s*(?:\(.*?\)\s*)?(?::|$)")
    offset, among_parameters = 0, False
    for line in text.splitlines(keepends=True):
        section = SECTION.match(line.strip())
        if section is not None:
            among_parameters = section[1] in PARAMETER_SECTIONS
        found = field.match(line) or (entry.match(line) if among_parameters else None)
        if found is not None:
            yield offset + found.start(1), offset + found.end(1)
        offset += len(line)

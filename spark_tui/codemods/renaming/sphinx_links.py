"""What links to names in a text for Sphinx: roles, directives and their lists, entries of `autosummary`, the
types in fields such as `:raises X:`, `:rtype: X` and `:param X x:`, and the errors in sections `Raises`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.pysource.words import whole_word

ROLES = "any|attr|class|const|data|deco|exc|func|meth|mod|obj|type"
ROLE = re.compile(
    rf"(?<![\w:])(?::py)?:(?P<role>{ROLES}):`(?:[^`<]*<)?[~!]?(?P<target>\.?\w+(?:\.\w+)*)(?:\(\))?>?`"
)
_OBJECTS = "attribute|class|classmethod|data|decorator|exception|function|method|property|staticmethod"
_DIRECTIVE = re.compile(
    rf"^(?P<indent>[ \t]*)\.\. (?:py:)?(?:auto)?(?P<kind>{_OBJECTS}|module|currentmodule)::[ \t]+"
    r"(?P<target>\w+(?:\.\w+)*)",
    re.MULTILINE,
)
_MEMBERS = re.compile(r"^[ \t]+:(?:exclude-|private-)?members:(?P<names>.*)", re.MULTILINE)
_MEMBER = re.compile(r"\w+")
_SUMMARY = re.compile(
    r"^(?P<indent>[ \t]*)\.\. autosummary::.*\n(?P<entries>(?:(?P=indent)[ \t]+\S.*\n?|[ \t]*\n)*)", re.M
)
_ENTRY = re.compile(r"^[ \t]+~?(?P<target>[A-Za-z_][\w.]*)", re.MULTILINE)
_BEGIN = r"(?:^|(?<=\"\"\")|(?<='''))[ \t]*"
"""In front of what begins a line, also of a docstring."""
_TYPED = "param|parameter|arg|argument|keyword|kwarg|kwparam|var|ivar|cvar"
_FIELD = re.compile(
    rf"{_BEGIN}:(?:(?:{_TYPED})[ \t]+(?P<typed>[^:\n]*[^:\s])[ \t]+[*\\]*\w+:(?!\S)"
    r"|(?:raises?|except|exception)[ \t]+(?P<raised>[^:\n]+):(?!\S)"
    r"|(?:rtype|(?:param|var)?type[ \t]+[*\\]*\w+):[ \t]+(?P<body>.+))",
    re.MULTILINE,
)
_GOOGLE = re.compile(
    r"^(?P<indent>[ \t]*)Raises:[ \t]*\n(?P<entries>(?:(?P=indent)[ \t]+\S.*\n?|[ \t]*\n)*)", re.MULTILINE
)
_NUMPY = re.compile(
    r"^(?P<indent>[ \t]*)Raises[ \t]*\n(?P=indent)-{3,}[ \t]*\n"
    r"(?P<entries>(?:(?P=indent)(?!.*\n[ \t]*-{3,}[ \t]*$).*\n?|[ \t]*\n)*)",
    re.MULTILINE,
)
_RAISED = re.compile(r"^(?P<indent>[ \t]*)(?P<raised>[^\s:][^:\n]*)(?P<colon>:(?!\S))?", re.MULTILINE)
_MARKED = re.compile(rf"{_BEGIN}(?:\.\.|:)")
_LISTED = re.compile(r"[ \t]*[\w., ]*")
_INDENTED = re.compile(r"[ \t]+~?[\w.]*")
"""What may stand in front of a name on a line that links to it."""
_BETWEEN = re.compile(r"\s*[\[\](),](?:\s*o[rf]\s)?\s*|\s+o[rf]\s+|\s*\|\s*|\.\.\.")
"""What stands between the names of a type, as Sphinx divides it."""
_NAME = re.compile(r"~?(?P<target>\.?[^\W\d]\w*(?:\.\w+)*)\Z")
MARKS = (
    ":`",
    ".. ",
    ":raise",
    "Raises",
    ":except",
    ":rtype",
    ":type",
    ":param",
    ":arg",
    ":key",
    ":kw",
    ":var",
    "type ",
    "var ",
)
"""One of these stands in every text that links to anything."""


@dataclass(frozen=True)
class Link:
    """A dotted name and where it begins. `role`: that of a role; `kind`: that of a directive; `is_type`: it
    can mean a class only, and is looked for in all modules at last."""

    target: str
    start: int
    indent: int = 0
    role: str = ""
    kind: str = ""
    is_type: bool = False


def may_link(text: str, name: str) -> bool:
    """Whether a name may be linked to in a text: quickly, by what stands in front of it."""
    for found in re.finditer(whole_word(name), text):
        at = found.start()
        quote = text.rfind("`", 0, at)
        if quote > 0 and text[quote - 1] == ":":
            return True
        front = text[text.rfind("\n", 0, at) + 1 : at]
        if _MARKED.search(front) is not None or (_LISTED.fullmatch(front) and "Raises" in text):
            return True
        if _INDENTED.fullmatch(front) and ".. autosummary::" in text:
            return True
    return False


def roles_in(text: str, low: int, high: int) -> Iterator[Link]:
    for found in ROLE.finditer(text, low, high):
        yield Link(found["target"], found.start("target"), _indent(text, found.start()), found["role"])


def links_in(text: str, low: int = 0, high: int = -1) -> list[Link]:
    """The links of a document, or of a part of a file, in their order."""
    text = text if high < 0 else text[:high]
    out = [*roles_in(text, low, len(text))]
    for found in _DIRECTIVE.finditer(text, low):
        out.append(
            Link(
                found["target"],
                found.start("target"),
                _indent(text, found.start("target")),
                kind=found["kind"],
            )
        )
    for listed in _MEMBERS.finditer(text, low):
        names = _MEMBER.finditer(text, *listed.span("names"))
        out += [Link(one[0], one.start(), _indent(text, one.start())) for one in names]
    for summary in _SUMMARY.finditer(text, low):
        entries = _ENTRY.finditer(text, *summary.span("entries"))
        out += [
            Link(one["target"], one.start("target"), _indent(text, one.start("target"))) for one in entries
        ]
    for field in _FIELD.finditer(text, low):
        span = next(field.span(group) for group in ("typed", "raised", "body") if field[group] is not None)
        out += _types_in(text, *span)
    for span in _raised_in(text, low):
        out += _types_in(text, *span)
    return sorted(out, key=lambda link: link.start)


def _types_in(text: str, low: int, high: int) -> Iterator[Link]:
    indent = _indent(text, low)
    for start, part in _parts(text, low, high):
        if (one := _NAME.match(part)) is not None:
            yield Link(one["target"], start + one.start("target"), indent, is_type=True)


def _raised_in(text: str, low: int) -> Iterator[tuple[int, int]]:
    """The places of the errors that sections say are raised: of Google's form those in front of a colon, of
    NumPy's those that are not indented."""
    for pattern in (_GOOGLE, _NUMPY) if "Raises" in text else ():
        for section in pattern.finditer(text, low):
            every = list(_RAISED.finditer(text, *section.span("entries")))
            shown = [one for one in every if one["indent"] == every[0]["indent"]]
            yield from (one.span("raised") for one in shown if one["colon"] or pattern is _NUMPY)


def _parts(text: str, low: int, high: int) -> Iterator[tuple[int, str]]:
    """The parts of a type that stand between its brackets, commas and *or*, each with its place."""
    for found in (*_BETWEEN.finditer(text, low, high), None):
        end = found.start() if found is not None else high
        part = text[low:end]
        yield low + len(part) - len(part.lstrip()), part.strip()
        low = found.end() if found is not None else high


def _indent(text: str, at: int) -> int:
    """The columns in front of the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at + 1].expandtabs(8)
    return len(line) - len(line.lstrip())

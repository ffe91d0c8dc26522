"""Docstrings: the three usual styles in which parameters, results and errors are written, and edits of some
lines that leave the others as they are laid out."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.plan import Edit
from spark_tui.codemods.slots import Choice
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.shared_ends import same_ends

SECTION = re.compile(r"(Args|Arguments|Parameters|Returns|Yields|Raises|Attributes|Examples?|Notes?)\b:?\s*$")
PARAMETER_SECTIONS = ("Args", "Arguments", "Parameters")


class Style(Choice):
    """How a docstring documents parameters."""

    GOOGLE = "google"
    NUMPY = "numpy"
    SPHINX = "sphinx"


_STYLES = (
    (re.compile(r"(?m)^\s*:param\b"), Style.SPHINX),
    (re.compile(r"(?m)^\s*Parameters\s*\n\s*-{4,}"), Style.NUMPY),
    (re.compile(r"(?m)^\s*(?:Args|Arguments):\s*$"), Style.GOOGLE),
)


def style_in(text: str) -> Style | None:
    """The style in which the docstrings of a file document parameters; None where none of them does."""
    most, style = max(((len(form.findall(text)), style) for form, style in _STYLES), key=lambda item: item[0])
    return style if most else None


@dataclass(frozen=True, slots=True)
class Documented:
    """A parameter, result or error: its type, which may be empty, and its description."""

    name: str
    type: str
    text: str


def docstring_sections(
    style: Style,
    parameters: Sequence[Documented],
    returned: Documented | None,
    raised: Sequence[Documented],
    unit: str,
) -> list[str]:
    """The lines of a docstring after its summary, without a blank line in front."""
    if style is Style.SPHINX:
        lines = [f":param {documented.name}: {documented.text}".rstrip() for documented in parameters]
        lines += [f":return: {returned.text}".rstrip()] if returned is not None else []
        return lines + [f":raises {documented.name}: {documented.text}".rstrip() for documented in raised]
    parts = []
    if parameters:
        parts.append(_section(style, "Args" if style is Style.GOOGLE else "Parameters", parameters, unit))
    if returned is not None:
        parts.append(_section(style, "Returns", [returned], unit))
    if raised:
        parts.append(_section(style, "Raises", raised, unit))
    out: list[str] = []
    for part in parts:
        out += ["", *part] if out else part
    return out


def _section(style: Style, title: str, entries: Sequence[Documented], unit: str) -> list[str]:
    if style is Style.GOOGLE:
        return [f"{title}:", *(unit + _google(documented) for documented in entries)]
    lines = [title, "-" * len(title)]
    for item in entries:
        head = f"{item.name} : {item.type}" if item.name and item.type else item.name or item.type
        lines += [head, *([unit + item.text] if item.text else [])] if head else [item.text]
    return lines


def _google(documented: Documented) -> str:
    if not documented.name:
        return documented.text or f"{documented.type}:"
    head = f"{documented.name} ({documented.type})" if documented.type else documented.name
    return f"{head}: {documented.text}".rstrip()


def find_parameter_names(text: str, name: str) -> Iterator[tuple[int, int]]:
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


def shown_default(value: ast.expr) -> str:
    """A default as docstrings show it: a text without its quotes, and the last name of `logging.INFO`."""
    text = value.value if isinstance(value, ast.Constant) else getattr(value, "attr", None)
    return text if isinstance(text, str) else ast.unparse(value)


def find_defaults(text: str, name: str, value: ast.expr) -> Iterator[re.Match[str]]:
    """Where the text of a docstring says, in what it says of a parameter, that this is its default: it is the
    group in `defaults to 5`, and none in `if True (default)`, which goes on about it."""
    old = re.escape(shown_default(value))
    begins = r"\bdefaults?\b(?:\s+(?:to|is|of|value))*[\s:=(]*[`'\"]*(?:[^\W\d]\w*\.)*"
    # A text is in quotes, or the last word: `by default a file` does not say that it is `a`.
    ends = r"(?=[`'\"]|\s*(?:[).,;:\]]|\Z))" if is_text(ast.Expr(value)) else r"(?!\.?[-\w])"
    said = re.compile(rf"{begins}({old}){ends}|(?<![\w.-]){old}\W{{0,4}}\(default\)", re.IGNORECASE)
    # An entry for several parameters is left alone: it still holds for the others.
    alone = r"\b(?![`'\"*]*\s*(?:[,/&]|and\b))"
    entry = re.compile(rf"\s*(?:[-*]\s+|:\w+\s+(?:[^:]*\s)?)?[`'\"*]*{name}{alone}")
    offset, begun, indent = 0, 0, -1
    for line in (*text.splitlines(keepends=True), ""):
        own = len(line) - len(line.lstrip())
        if indent >= 0 and (own <= indent or not line.strip()):
            yield from said.finditer(text, begun, offset) if old else ()
            indent = -1
        if entry.match(line):
            begun, indent = offset, own
        offset += len(line)


def find_in_backticks(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where the text of a docstring shows a name as code."""
    return (match.span("name") for match in re.finditer(rf"(?<!`)(`{{1,2}})(?P<name>{name})\1(?!`)", text))


_PLAIN = re.compile(r"([rR]?)(\"{3}|'{3})(.*)\2", re.DOTALL)


def dedent_docstring(docstring: ast.Expr) -> list[str]:
    """The lines of a docstring without its indentation."""
    assert isinstance(docstring.value, ast.Constant) and isinstance(docstring.value.value, str)
    return inspect.cleandoc(docstring.value.value).split("\n")


def edit_lines(source: Source, docstring: ast.Expr, new: Sequence[str]) -> Edit | None:
    """The edit of those lines of a docstring that are others. None where that would be the first line or one
    that stands before the closing quotes, or where what stands there is not what it says."""
    low, high = source.span(docstring.value)
    found, end = _PLAIN.fullmatch(source.text[low:high]), source.newline
    old = dedent_docstring(docstring)
    start, kept = same_ends(old, new)
    if found is None or not start or ("\\" in found[3] and not found[1]):
        return None
    stands = found[3].split(end)
    first = next((at for at, line in enumerate(stands) if line.strip()), 0)
    inside = stands[first : first + len(old)]
    if [part.strip() for part in inside] != [text.strip() for text in old]:
        return None
    if not kept and first + len(old) == len(stands):
        return None
    added = new[start : len(new) - kept]
    if any(sign in item for item in added for sign in (found[2], "\\")):
        return None
    margins = [part[: len(part) - len(part.lstrip())] for part in inside[0 if first else 1 :] if part.strip()]
    shown = (min(margins, key=len, default="") + item if item else "" for item in added)
    begin = low + found.start(3) + sum(len(part) + len(end) for part in stands[: first + start])
    gone = sum(len(part) + len(end) for part in stands[first + start : first + len(old) - kept])
    return Edit(source.path, begin, begin + gone, "".join(item + end for item in shown))

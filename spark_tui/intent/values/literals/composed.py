"""A tuple or list from the values that are said for its parts: `(2, 8)` for *from 2 to 8*; and values of
which only a part is said, such as the scheme of a URL."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from spark_tui.intent.values.literals.moments import DATE_FIELD, date_format
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_PART = re.compile(
    r"(?P<mark>[\"'])(?P<text>.*?)(?P=mark)"
    r"|(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*[.:/@]?\w))"
    r"|(?P<word>[\w+-]+(?:[.:/@]+[\w+-]+)+|/\S+)"
)
"""What may be a part: a quoted text, a number, or a word with signs in it such as an address or a path."""
_SCHEMES = word_set("http https ws wss ftp ftps sftp redis rediss postgres postgresql")
_ENDING = re.compile(r"\.[A-Za-z]\w*")
_NUMBER_TEXT = re.compile(r"[-+]?\d+(?:\.\d+)*")


def like_parts(
    source: Source, text: str, old: ast.expr | None, others: Sequence[ast.expr], quoted: Callable[[str], str]
) -> str | None:
    """A tuple or list of the values that are said for its parts, where all others have the same
    parts. What is not said stays as it is in `old`; texts are `quoted`."""
    first = old or (others[0] if others else None)
    if not isinstance(first, ast.Tuple | ast.List) or any(_form(other) != _form(first) for other in others):
        return None
    words = [_value(match, quoted) for match in _PART.finditer(text)]
    kinds = [_kind(element) for element in first.elts]
    parts: list[str] = []
    for at, (kind, node) in enumerate(zip(kinds, first.elts, strict=True)):
        own = [item for item in words if item[0] == kind]
        if len(own) == kinds.count(kind):
            parts.append(own[kinds[:at].count(kind)][1])
        elif old is None or own:
            return None
        else:
            parts.append(source.segment(node))
    if not words or any(kind not in kinds for kind, _ in words):
        return None
    inner = ", ".join(parts) + ("," if isinstance(first, ast.Tuple) and len(parts) == 1 else "")
    return f"({inner})" if isinstance(first, ast.Tuple) else f"[{inner}]"


def _value(found: re.Match[str], quoted: Callable[[str], str]) -> tuple[str, str]:
    """The kind of a part, and its code."""
    if found["number"] is not None:
        return "number", found["number"]
    return "str", quoted(found["text"] if found["text"] is not None else found["word"])


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand)
    value = node.value if isinstance(node, ast.Constant) else None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return "str" if isinstance(value, str) else "number" if number else ""


def _form(node: ast.AST) -> tuple[object, ...]:
    """What the parts of a value are."""
    return (type(node), *(_kind(element) for element in getattr(node, "elts", ())))


def with_part(old: str, text: str) -> str | None:
    """The old text with the part that is said in place of the one like it; None where it is no part."""
    new = text.strip()
    scheme, sign, rest = old.partition("://")
    if sign and new.lower().removesuffix("://") in _SCHEMES and scheme.lower() in _SCHEMES:
        return f"{new.lower().removesuffix('://')}://{rest}"
    if _ENDING.fullmatch(old) and re.fullmatch(r"[A-Za-z]\w*", new):
        return f".{new}"
    if len(DATE_FIELD.findall(old)) > 1 and not DATE_FIELD.search(new):
        return date_format(old, "", new.strip("`'\""))
    return None


def is_number_text(text: str) -> bool:
    """Whether a text is a number or a version, so that a new one stays a text."""
    return _NUMBER_TEXT.fullmatch(text) is not None

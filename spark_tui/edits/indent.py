"""Move lines from the indentation that a model quoted to the one that the file has.

Comes in: quoted lines and the file's own lines, pairwise equal but for surrounding space. Goes out: a
function for new lines, or None where the lines do not all agree on one way. Must not know: where the lines
stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Rebase = Callable[[str], str | None]
"""A new line in the file's indentation; None for a line that the rule cannot carry over."""

_TAB_WIDTHS = (4, 2, 8)


def rebase_for(quoted: Sequence[str], actual: Sequence[str]) -> Rebase | None:
    """The one rule that takes every quoted line's indentation to the file's. Blank lines have no say."""
    pairs = [
        (_indent(quote), _indent(line)) for quote, line in zip(quoted, actual, strict=True) if quote.strip()
    ]
    if all(quote == line for quote, line in pairs):
        return _same
    quote, line = pairs[0]
    if line.endswith(quote) and _all_equal(pairs, deeper := line[: len(line) - len(quote)], ""):
        return lambda text: deeper + text if text.strip() else text
    if quote.endswith(line) and _all_equal(pairs, "", extra := quote[: len(quote) - len(line)]):
        return lambda text: _without(text, extra)
    for width in _TAB_WIDTHS:
        for convert in (_to_tabs, _to_spaces):
            if all(convert(a, width) == b for a, b in pairs):
                return _converter(convert, width)
    return None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _same(text: str) -> str | None:
    return text


def _all_equal(pairs: Sequence[tuple[str, str]], deeper: str, extra: str) -> bool:
    return all(deeper + quote == extra + line for quote, line in pairs)


def _without(text: str, extra: str) -> str | None:
    if not text.strip():
        return text.removeprefix(extra)
    return text[len(extra) :] if text.startswith(extra) else None


def _to_tabs(indent: str, width: int) -> str | None:
    if indent.strip(" ") or len(indent) % width:
        return None
    return "\t" * (len(indent) // width)


def _to_spaces(indent: str, width: int) -> str | None:
    return None if indent.strip("\t") else " " * (width * len(indent))


def _converter(convert: Callable[[str, int], str | None], width: int) -> Rebase:
    def rebase(text: str) -> str | None:
        if not text.strip():
            return text
        indent = _indent(text)
        turned = convert(indent, width)
        return None if turned is None else turned + text[len(indent) :]

    return rebase

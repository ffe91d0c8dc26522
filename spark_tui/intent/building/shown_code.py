"""Code, errors and names that stand in an instruction, whatever slot holds them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.source import Source
from spark_tui.pysource.tree_comparison import parse_statement

_LONGEST, _MOST_BEGINS = 120, 40
_BEGINS = re.compile(r"(?<![\w.])(?:(?P<statement>raise|return)\s+)?[A-Za-z_][\w.]*")
_GOES_ON = re.compile(r"\s*[.(\[\"']")
"""What follows a name where code goes on: an attribute, brackets, or a string."""


def shown_pieces(context: Context) -> Iterator[str]:
    """What stands in quotes or backticks, and what the slots hold."""
    text = context.situation.instruction
    for item in tokenize(text).quoted:
        yield text[item.inner_start : item.inner_end].strip()
    for span in context.reading.spans:
        yield span.text.strip().strip("`").strip()


def log_call(context: Context) -> str:
    """A log call that is shown whole: `self.logger.error("late")`."""
    for piece in (*shown_pieces(context), *shown_statements(context.situation.instruction)):
        tree = parsed(piece)
        if (
            isinstance(tree, ast.Call)
            and isinstance(tree.func, ast.Attribute)
            and tree.func.attr in LOG_LEVELS
        ):
            return piece
    return ""


@lru_cache(maxsize=8)
def shown_statements(text: str) -> tuple[str, ...]:
    """The pieces of a text that can only be code: a `raise`, a `return` of more than a name, a call, a dotted
    name. Each is as long as it can be, and of a `raise` there is also what names no cause."""
    out: list[str] = []
    end = 0
    begins = (
        found
        for found in _BEGINS.finditer(text)
        if found["statement"] or "." in found[0] or _GOES_ON.match(text, found.end())
    )
    for found in islice(begins, _MOST_BEGINS):
        if found.start() < end:
            continue
        stops = [
            match.end()
            for match in re.finditer(r"[\w)\]}\"']", text[found.end() - 1 : found.start() + _LONGEST])
        ]
        for stop in sorted((found.end() - 1 + item for item in stops), reverse=True):
            if _is_shown(text[found.start() : stop]):
                piece = text[found.start() : stop]
                out += dict.fromkeys((piece, piece.partition(") from ")[0] + ")" * (") from " in piece)))
                end = stop
                break
    return tuple(out)


def _is_shown(text: str) -> bool:
    one = parse_statement(text)
    value = one.exc if isinstance(one, ast.Raise) else getattr(one, "value", None)
    if isinstance(one, ast.Raise | ast.Return) and not isinstance(value, ast.Name | None):
        return True
    shown = isinstance(value, ast.Attribute) or (
        isinstance(value, ast.Call) and bool(value.args or value.keywords)
    )
    return isinstance(one, ast.Expr) and shown


def read_typed_names(context: Context, names: list[str]) -> tuple[list[tuple[str, str]], str]:
    """Names of parameters with the type that is said after each, and the type that is said last."""
    text = context.situation.instruction
    places = []
    for name in names:
        for found in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", text):
            places.append((found.start(), found.end(), name))
    places.sort()
    out: dict[str, str] = {}
    last = ""
    for at, (_, end, name) in enumerate(places):
        stop = places[at + 1][0] if at + 1 < len(places) else len(text)
        found_types = list(types_in(text[end:stop]))
        if found_types and name not in out:
            out[name] = found_types[0]
            if at == len(places) - 1 and len(found_types) > 1:
                last = found_types[1]
    return list(out.items()), last


def types_in(text: str) -> Iterator[str]:
    """The types that are spelled as code in a text."""
    form = r"[A-Za-z_][\w.]*(?:\[[^\]]*\]+)?(?:\s*\|\s*[A-Za-z_][\w.]*(?:\[[^\]]*\]+)?)*"
    for found in re.finditer(form, text):
        bare = re.split(r"[\[|\s]", found[0])[0]
        if bare in words("type_names") or (bare[:1].isupper() and "[" in found[0]):
            yield found[0].strip()


def logged_as_exception(source: Source, node: ast.Call) -> str:
    """A log call as one of `exception`, which writes the traceback without being told."""
    assert isinstance(node.func, ast.Attribute)
    kept = [*node.args, *(keyword for keyword in node.keywords if keyword.arg != "exc_info")]
    return f"{source.segment(node.func.value)}.exception({', '.join(map(source.segment, kept))})"

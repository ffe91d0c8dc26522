"""Calls that put the pieces of a formatted text in another order: the currency in front of the number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spark_tui.intent.building.building import Built, build_at, builder
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import is_print
from spark_tui.intent.texts.message_values import same_word, split_name_words
from spark_tui.intent.texts.shown_in_texts import LITERAL
from spark_tui.intent.values.converters.texts import unquoted
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Source

_FIELD = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_PIECES = re.compile(
    rf"(?:(?<!\{{)(?:{_FIELD})|%[-+0-9.]*[sdrfx]|[.!?](?!\s|\Z|\\)|(?<!\\)[^\s,;:|/\\.!?]|\\[^n])+"
)


@dataclass(frozen=True)
class _TextPieces:
    """A text as pieces, with what stands between them: words and values, or the arguments of a print."""

    pieces: tuple[str, ...]
    between: tuple[str, ...]


@builder("reorder_text")
def reorder_text(context: Context) -> Iterator[Built]:
    made: list[tuple[Anchor, str]] = []
    message_text = unquoted(context.text("message"))
    for area, source, node in context.find(ast.expr):
        found = _taken_apart(source, node)
        if found is None or source.span(node)[0] < 0 or message_text not in source.segment(node):
            continue
        order = _order(context, source, node, found.pieces)
        if order is not None and order != list(range(len(order))):
            made.append((Anchor(area, node, 0.9, area.doubts), _together(node, found, order, source)))
    if not made:
        raise Unresolved("no text with these pieces was found")
    codes = {id(anchor.node): code for anchor, code in made}
    for anchor in weighted(context, [anchor for anchor, _ in made]):
        yield build_at(anchor, replace_code(context, anchor, codes[id(anchor.node)]))


def _taken_apart(source: Source, node: ast.expr) -> _TextPieces | None:
    """The pieces of an f-string, of a text for `%`, or of what a print is given."""
    shown = source.segment(node)
    if isinstance(node, ast.Call) and is_print(node) and len(node.args) > 1:
        rows = tuple(source.segment(arg) for arg in node.args)
        return _TextPieces(rows, tuple(", " for _ in rows[1:]))
    text = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else node
    if not isinstance(text, ast.JoinedStr) and text is node:
        return None
    literal = LITERAL.fullmatch(source.segment(text))
    if literal is None or literal["mark"] in literal["body"] or len(shown) < 3:
        return None
    body = literal["body"]
    found = list(_PIECES.finditer(body))
    if sum(_is_value(match[0]) for match in found) < 1 or len(found) < 2:
        return None
    plain = [re.sub(_FIELD, "", match[0]) for match in found]
    if any(piece.count(one) != piece.count(two) for piece in plain for one, two in ("()", "[]")):
        return None  # a bracket would move without the other one
    between = [body[one.end() : two.start()] for one, two in pairwise(found)]
    return _TextPieces(tuple(match[0] for match in found), tuple(between))


def _is_value(piece: str) -> bool:
    return re.search(rf"{_FIELD}|%[-+0-9.]*[sdrfx]", piece) is not None


def _order(context: Context, source: Source, node: ast.expr, pieces: Sequence[str]) -> list[int] | None:
    """The pieces in their new order; None where it is not clear which of them are meant."""
    names = _names(source, node, pieces)
    one = _meant(context.text("value"), pieces, names)
    two = _meant(context.text("anchor"), pieces, names)
    values = [at for at, piece in enumerate(pieces) if _is_value(piece)]
    rest = [at for at in range(len(pieces)) if at != one]
    other_words = context.beside_slots()
    behind = says("reordering", "behind", other_words)
    if one is None:
        if len(values) != 2 or context.has("value"):
            return None
        out = list(range(len(pieces)))
        out[values[0]], out[values[1]] = values[1], values[0]
        return out
    if two is not None and two != one:
        if (one < two) is not behind:
            return None if not context.has("value") else list(range(len(pieces)))
        if abs(one - two) == 1 or (one in values and two in values):
            out = list(range(len(pieces)))
            out[one], out[two] = two, one
            return out
        at = rest.index(two) + behind
        return [*rest[:at], one, *rest[at:]]
    if context.has("anchor"):
        return None
    if len(pieces) == 2 or (
        len(values) == 2 and one in values and not says("reordering", "ends", other_words)
    ):
        out = list(range(len(pieces)))
        other = next((at for at in values if at != one), rest[0])
        out[one], out[other] = other, one
        return out if (one > other) is not behind else list(range(len(pieces)))
    return [*rest, one] if behind else [one, *rest]


def _names(source: Source, node: ast.expr, pieces: Sequence[str]) -> list[list[str]]:
    """The words of each piece, those of its value first."""
    given: list[str] = []
    if isinstance(node, ast.BinOp):
        row = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        given = [source.segment(element) for element in row]
    out = []
    for piece in pieces:
        code = given.pop(0) if given and re.search(r"%[-+0-9.]*[sdrfx]", piece) else piece
        code = re.sub(r"(?::[^{}:]*)?\}", "}", code) if "{" in code else code
        out.append([word for part in re.findall(r"\w+", code) for word in split_name(part)])
    return out


def _meant(text: str, pieces: Sequence[str], names: Sequence[Sequence[str]]) -> int | None:
    """The piece that words name: by its text, or by the words of its value."""
    plain = unquoted(text)
    if not plain:
        return None
    exact = [at for at, piece in enumerate(pieces) if plain == piece or plain == piece.strip("{}'\"")]
    if len(exact) == 1:
        return exact[0]
    words = split_name_words(plain)
    counts = [sum(any(same_word(word, item) for item in row) for word in words) for row in names]
    best = max(counts, default=0)
    if best and counts.count(best) == 1:
        return counts.index(best)
    numbers = [at for at, piece in enumerate(pieces) if re.search(r":[^}]*[df%,]\}|%[-+0-9.]*[df]", piece)]
    return numbers[0] if says("reordering", "number", plain) and len(numbers) == 1 else None


def _together(node: ast.expr, found: _TextPieces, order: Sequence[int], source: Source) -> str:
    rows = [found.pieces[at] for at in order]
    text = rows[0] + "".join(gap + row for gap, row in zip(found.between, rows[1:], strict=True))
    if isinstance(node, ast.Call):
        named = [f"{keyword.arg}={source.segment(keyword.value)}" for keyword in node.keywords]
        return f"{source.segment(node.func)}({', '.join([text, *named])})"
    shown = node.left if isinstance(node, ast.BinOp) else node
    literal = LITERAL.fullmatch(source.segment(shown))
    assert literal is not None
    body, pieces = literal["body"], list(_PIECES.finditer(literal["body"]))
    head, tail = body[: pieces[0].start()], body[pieces[-1].end() :]
    code = f"{literal['prefix']}{literal['mark']}{head}{text}{tail}{literal['mark']}"
    if not isinstance(node, ast.BinOp):
        return code
    values = [at for at, piece in enumerate(found.pieces) if _is_value(piece)]
    row = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    given = [source.segment(row[values.index(at)]) for at in order if at in values]
    return f"{code} % ({', '.join(given)})" if len(given) > 1 else f"{code} % {given[0]}"

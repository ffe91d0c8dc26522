"""The orders of an instruction as the network reads them: its lines, its renames and the rest apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.answering.added_or_removed import asks_otherwise
from spark_tui.intent.answering.deleted_kinds import with_deleted_kinds
from spark_tui.intent.answering.kept_ones import with_kind_of_all
from spark_tui.intent.answering.lines_as_code import about_part_of_line, open_lines, whole_lines
from spark_tui.intent.answering.message_ends import with_place
from spark_tui.intent.answering.no_order import MOST_CHARACTERS
from spark_tui.intent.answering.said_members import with_list_named
from spark_tui.intent.answering.sentence_starts import with_small_starts
from spark_tui.intent.answering.shown_lines import with_name_set, with_numbers
from spark_tui.intent.answering.untrained_orders import (
    with_deleted_files,
    with_docstring_quotes,
    with_folder,
    with_inlined,
    with_option_forms,
    with_requirement,
    with_skipped_tests,
)
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.reading.renamed_pairs import renamed_apart
from spark_tui.intent.values.likely.incomplete_readings import line_blanked, takes_lines
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.readings import Order, Reads, SymbolRoles
from spark_tui.intent.words.tokens import cleaned

_LIKELY = 0.05
"""The probability of a reading from which it tells what is to be changed in a line."""


def plain_text(instruction: str, situation: Situation, symbols: SymbolRoles) -> str:
    """The words of an instruction as they are read, with the places, names and lines that they name."""
    plain = with_place(with_small_starts(cleaned(instruction), symbols), situation.repo)
    named = with_name_set(with_numbers(plain, open_lines(situation)), situation)
    return with_kind_of_all(with_list_named(named, situation))


def read_orders(
    text: str, reader: Reads, symbols: SymbolRoles, earlier: str = "", lines: Sequence[str] = ()
) -> tuple[Order, ...]:
    """The orders of an instruction. What is done to `lines` named by number is read from their code, and
    the rest as if they were not named. Nothing is read of a text that is too long for an order."""
    if len(text) > MOST_CHARACTERS:
        return (Order(0, len(text), ()),)
    orders = with_folder(text, with_requirement(text, _read(text, reader, symbols, earlier)))
    if not earlier:
        orders = with_deleted_kinds(text, with_deleted_files(text, orders), reader, symbols)
        orders = with_skipped_tests(text, orders, symbols, lines)
    likely = [one for one in orders[0].readings if one.probability > _LIKELY] if len(orders) == 1 else []
    if [one.intent for one in likely] == ["delete_lines"] and not asks_otherwise(text):
        return orders  # whatever their code is
    if not likely or any(about_part_of_line(one, text, lines) for one in likely):
        return orders
    about = whole_lines(text, lines, reader, symbols)
    if not about:
        return orders
    rest = 1.0 - sum(reading.probability for reading in about)
    others = (replace(reading, probability=rest * reading.probability) for reading in orders[0].readings)
    readings = sorted((*about, *others), key=lambda item: -item.probability)
    return (Order(0, len(text), tuple(readings)),)


def _read(text: str, reader: Reads, symbols: SymbolRoles, earlier: str) -> tuple[Order, ...]:
    """The orders of an instruction. A line that it names is left out of what is read, and only what can be
    done to lines by number is taken from the whole."""
    apart = renamed_apart(text, reader, symbols, earlier)
    if apart is not None:
        return apart
    orders = _each_apart(text, reader.read(text, symbols, earlier), reader, symbols, earlier)
    without = line_blanked(text)
    plain = reader.read(without, symbols, earlier) if without else ()
    if len(plain) != 1 or not plain[0].readings:
        return orders
    share = float(decision_settings()["line_number"])
    by_number = [
        replace(reading, probability=share * reading.probability)
        for reading in (orders[0].readings if len(orders) == 1 else ())
        if takes_lines(reading)
    ]
    rest = 1.0 - sum(item.probability for item in by_number)
    others = [
        replace(reading, probability=rest * reading.probability)
        for reading in plain[0].readings
        if not takes_lines(reading)
    ]
    readings = sorted((*by_number, *others), key=lambda item: -item.probability)
    return (Order(0, len(text), tuple(readings)),)


def _each_apart(
    text: str, orders: Sequence[Order], reader: Reads, symbols: SymbolRoles, earlier: str
) -> tuple[Order, ...]:
    """Several orders, where one that renames several things is an order for each."""
    out: list[Order] = []
    for order in orders:
        renames = len(orders) > 1 and order.readings and order.readings[0].intent == "rename"
        alone = " " * order.start + text[order.start : order.end]
        apart = renamed_apart(alone, reader, symbols, earlier) if renames else None
        out += [replace(item, start=max(item.start, order.start)) for item in apart or (order,)]
    return with_option_forms(
        text, with_docstring_quotes(text, with_inlined(text, _with_means(text, out), symbols))
    )


def _with_means(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, where what only says by which code something is done is part of the one before: *with
    `self.log.error`*."""
    out: list[Order] = []
    for order in orders:
        if out and says_means(text[order.start : order.end]):
            out[-1] = replace(out[-1], end=order.end)
        else:
            out.append(order)
    return tuple(out)


def says_means(text: str) -> bool:
    """Whether words only say by which code something is done."""
    return _means().fullmatch(text) is not None


@lru_cache(maxsize=1)
def _means() -> re.Pattern[str]:
    front = "|".join(map(re.escape, words("means")))
    return re.compile(rf"\W*(?:{front})\s+(?:`[^`]+`|[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?)\W*", re.IGNORECASE)

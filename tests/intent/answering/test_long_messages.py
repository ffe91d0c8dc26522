"""What a long message costs: each place of it is looked at once, and no more than some of the many."""

from collections.abc import Callable

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering import deleted_kinds, no_order, reading_orders
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.builders.texts import misspelled
from spark_tui.intent.building import shown_code
from spark_tui.intent.defects import described
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = "def first():\n    return 1\n\n\ndef second(rows):\n    return [row for row in rows]\n"
OFF_BY_ONE = """def second(rows):
    out = []
    for at in range(1, len(rows) - 1):
        if rows[at] > 0 and at < 10:
            out.append(rows[at - 1])
    return out[:-1]
"""


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Callable[[], int]:
    """How often a function is called from now on."""
    calls, work = list[object](), getattr(module, name)

    def noted(*args: object, **more: object) -> object:
        calls.append(args)
        return work(*args, **more)

    monkeypatch.setattr(module, name, noted)
    return lambda: len(calls)


def asked(text: str) -> str:
    now = situation({PATH: CODE}, instruction=text)
    return answer(text, Reader.load(), now, RepositoryRoles().of(now.repo.index, (PATH,))).kind


def test_a_text_that_is_too_long_for_an_order_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    now = situation({PATH: CODE})
    count = counted(monkeypatch, reading_orders, "_read")
    symbols = RepositoryRoles().of(now.repo.index, (PATH,))
    for length, reads in ((no_order.MOST_CHARACTERS, 1), (no_order.MOST_CHARACTERS + 1, 1)):
        (order,) = reading_orders.read_orders("a" * length, Reader.load(), symbols)
        assert count() == reads
        assert (order.start, order.end) == (0, length)
    assert not order.readings


def test_few_places_of_a_message_may_begin_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, deleted_kinds, "_deleted_kind")
    asked("tidy; " * 600)
    assert 0 < count() <= 300


def test_few_places_of_a_message_may_begin_code(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, shown_code, "_is_shown")
    shown_code.shown_statements.cache_clear()
    assert shown_code.shown_statements("a(" * 1_900) == ()
    assert 0 < count() <= 40 * 120


def test_words_of_a_message_are_made_plain_once(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, described, "features")
    text = "the last row is missing in what second gives back, it is one too short " * 20
    now = situation({PATH: OFF_BY_ONE}, instruction=text)
    described._stems.cache_clear()
    assert len(described.described(now)) > 5
    seen = count()
    described.described(now)
    assert count() == seen + 1


def test_without_a_word_none_is_looked_for_in_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    count = counted(monkeypatch, misspelled, "Counter")
    asked("fix the typo in first")
    assert count() == 0

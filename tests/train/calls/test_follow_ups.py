"""Messages after an edit lead to what the amended call makes of the text before, or of the text after it."""

from __future__ import annotations

from random import Random

import pytest

from spark_tui.engine.text.token_layout import NOEDIT, WindowHunk
from spark_tui.train import sequences
from spark_tui.train.calls import edits, follow_ups
from spark_tui.train.calls.edits import CallEdit
from spark_tui.train.calls.kind_table import CallKind, call_kinds
from spark_tui.train.cases import Case, answer_hunks, apply_hunks, hunks_between, reads
from spark_tui.train.generated import programs
from spark_tui.train.source_windows import SourceWindow

SHOP = """LIMIT = 3


class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.lines = []

    def add(self, name, price):
        self.lines.append((name, price))
        return price

    def total(self):
        return sum(price for _, price in self.lines)


def show(cart, width=20):
    print(cart.total())
    return width
"""


class Windows:
    """Made-up programs."""

    plants = True

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        made = (programs.program(self.rng) for _ in range(30))
        self.windows = [SourceWindow("shop/cart.py", text) for text in (SHOP, *filter(None, made))]
        self.kinds = list(call_kinds().values())

    def call_kind(self) -> CallKind:
        return self.rng.choice(self.kinds)

    def window_with(self, kind: CallKind) -> SourceWindow | None:
        fitting = [window for window in self.windows if kind.needs is None or kind.needs.search(window.text)]
        return self.rng.choice(fitting) if fitting else None


def steered(count: int, seed: int) -> list[Case]:
    source = Windows(seed)
    found = [case for case in (follow_ups.steered(source) for _ in range(count)) if case is not None]
    assert len(found) > count / 2
    return found


def first(kind: str, seed: int = 0) -> CallEdit:
    window = SourceWindow("shop/cart.py", SHOP)
    found = (edits.edit(call_kinds()[kind], window, Random(n), plant=False) for n in range(seed, seed + 200))
    return next(item for item in found if item is not None)


def test_another_name_is_the_one_that_stands_in_the_end() -> None:
    seen = 0
    for seed in range(60):
        found = follow_ups.amend(first("rename_class"), "shop/cart.py", Random(seed), only="amend.name")
        if found is not None:
            assert found.from_before
            old = found.first.said.reading.text("new")
            assert f"class {old}" in found.first.after
            assert f"class {old}:" not in found.after
            assert "class Cart" not in found.after
            seen += 1
    assert seen > 5


def test_what_is_taken_back_leaves_the_text_as_it_was() -> None:
    done = first("add_parameter")
    found = follow_ups.amend(done, "shop/cart.py", Random(1), only="amend.undo")
    assert found is not None
    assert found.after == SHOP


def test_a_further_place_keeps_the_first_edit() -> None:
    seen = 0
    for seed in range(40):
        done = first("to_async")
        found = follow_ups.amend(done, "shop/cart.py", Random(seed), only="amend.also")
        if found is not None:
            assert not found.from_before
            assert found.after.count("async def") == 2
            seen += 1
    assert seen > 3


@pytest.mark.parametrize("count", [18, pytest.param(30, marks=pytest.mark.slow)])
def test_every_message_leads_from_what_was_written_to_the_wanted_text(count: int) -> None:
    kept = rejected = begun = 0
    for case in steered(count, 5):
        assert reads(case.after)
        hunks = answer_hunks(case)
        if case.steered is None:
            (past,) = case.history
            assert not past.kept
            assert apply_hunks(case.before, hunks) == case.after
            rejected += 1
            continue
        written, message = case.steered
        assert message.strip()
        begun += case.begun is not None
        stays = [old for old in written if not any(old.touches(new) for new in hunks)]
        assert not stays, "each hunk is replaced or restored"
        assert apply_hunks(case.before, hunks_between(case.before, case.after)) == case.after
        kept += 1
    assert kept and rejected and begun


def test_the_same_again_is_asked_behind_what_was_kept() -> None:
    source = Windows(8)
    found = [case for case in (follow_ups.again(source) for _ in range(10)) if case is not None]
    assert len(found) > 2
    for case in found:
        (past,) = case.history
        assert past.kept
        assert case.before != case.after
        assert reads(case.after)


def test_a_hunk_that_gives_way_to_nothing_has_its_lines_written_again() -> None:
    before = "a = 1\nb = 2\nc = 3\n"
    stood = (WindowHunk(0, 1, ("a = 9",)), WindowHunk(3, 3, ("x = 0",)))
    case = Case("steer", "m.py", before, "a = 1\nb = 5\nc = 3\n", "a is 9", steered=(stood, "no, b is 5"))
    assert answer_hunks(case) == [
        WindowHunk(0, 1, ("a = 1",)),
        WindowHunk(1, 2, ("b = 5",)),
        WindowHunk(3, 3),
    ]


def test_a_turn_that_had_answered_has_the_token_of_its_answer() -> None:
    case = Case("steer", "m.py", "a = 1\n", "a = 2\n", "a is 2", steered=((), "no, do"), answered="no-edit")
    assert sequences.written_ids(lambda text: [100] * len(text), case) == [NOEDIT]

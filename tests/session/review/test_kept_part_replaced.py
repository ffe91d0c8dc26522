"""A hunk that was cut off and kept, and replaced by a later turn, is back as it was kept."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.review import Review
from spark_tui.session.review.replaced_hunks import follow_from


def replay(review: Review, decided: events.Decided) -> None:
    {"kept": review.keep, "open": review.reopen, "accepted": review.accept}[decided.decision](decided.hunk_id)


@pytest.mark.parametrize(("before", "state"), [("kept", "open"), ("accepted", "accepted")])
def test_what_was_kept_of_it_is_not_partial_again(before: str, state: str) -> None:
    review = Review()
    review.add(Hunk(1, "a.py", 1, ("one", "two"), ("first",), partial=True))
    review.keep(1)
    if before == "accepted":
        review.accept(1)
    review.add(Hunk(2, "a.py", 1, ("one",), ("other",)))
    review.replace(1, [2])
    review.reject(2)
    records = SimpleNamespace(of_hunk=lambda hunk_id: hunk_id)  # each is of a turn of its own
    turned_down = events.Decided(2, "rejected")
    found = follow_from(turned_down, review, records, lambda _: (), lambda made: replay(review, made))
    assert list(found) == [events.Decided(1, before)]
    assert (review.state(1), review.hunk(1).partial) == (state, False)
    review.reopen(1)
    assert review.state(1) == "partial"

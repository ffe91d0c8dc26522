"""Decisions: every path through the state machine, while hunks still arrive."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from spark_tui.edits.hunk import Hunk, apply_to_lines
from spark_tui.edits.review import FIRST_OWN_ID, Review
from spark_tui.errors import UsageError

FILE = [f"line {n}" for n in range(1, 41)]


def hunk(number, old=2, new=("a", "b"), **more):
    start = 4 * (number - 1) + 1
    return Hunk(number, "a.py", start, tuple(FILE[start - 1 : start - 1 + old]), tuple(new), **more)


def test_a_closed_hunk_is_open_until_it_is_decided():
    review = Review()
    review.add(hunk(1))
    review.add(hunk(2))
    assert review.state(1) == "open" and review.accepted() == ()
    review.accept(1)
    review.reject(2)
    assert (review.state(1), review.state(2)) == ("accepted", "rejected")
    assert review.accepted() == (hunk(1),)
    assert review.undecided() == ()


def test_an_edited_hunk_is_the_persons_and_reopening_brings_the_models_back():
    review = Review()
    review.add(hunk(1))
    review.edit(1, "mine\n")
    assert review.state(1) == "edited"
    assert review.accepted()[0].new_lines == ("mine",)
    review.accept(1)
    assert review.state(1) == "edited"
    assert review.original(1) == hunk(1)
    review.reopen(1)
    assert review.hunk(1) == hunk(1) and review.state(1) == "open"
    review.edit(1, "")
    assert review.accepted()[0].new_lines == ()


def test_an_edit_back_to_the_old_lines_changes_nothing():
    review = Review()
    review.add(hunk(1))
    review.edit(1, "line 1\nline 2\n")
    assert apply_to_lines(FILE, review.accepted()) == FILE


def test_a_partial_hunk_is_kept_dropped_or_resumed_before_it_is_decided():
    review = Review()
    for number in (1, 2, 3):
        review.add(hunk(number, partial=True))
    for decide in (
        review.accept,
        review.reject,
        lambda item: review.edit(item, "x"),
        review.split,
        review.reopen,
    ):
        with pytest.raises(UsageError, match="is partial"):
            decide(1)
    review.keep(1)
    review.drop(2)
    review.add(hunk(3, new=("a", "b", "c")))
    assert [review.state(number) for number in (1, 2, 3)] == ["open", "dropped", "open"]
    assert not review.hunk(1).partial and review.hunk(3).new_lines == ("a", "b", "c")
    with pytest.raises(UsageError):
        review.keep(1)
    with pytest.raises(UsageError, match="dropped"):
        review.accept(2)


def test_a_kept_hunk_that_is_reopened_is_partial_again():
    review = Review()
    cut = hunk(1, partial=True)
    review.add(cut)
    review.keep(1)
    review.accept(1)
    review.reopen(1)
    assert (review.state(1), review.hunk(1)) == ("partial", cut)
    with pytest.raises(UsageError, match="is partial"):
        review.accept(1)


def test_a_hunk_comes_once_and_one_that_changes_nothing_not_at_all():
    review = Review()
    review.add(hunk(1))
    with pytest.raises(UsageError, match="already"):
        review.add(hunk(1))
    review.add(Hunk(2, "a.py", 1, (), ()))
    assert review.ids == (1,)
    with pytest.raises(UsageError, match="no hunk 9"):
        review.accept(9)


def test_split_parts_are_decided_one_by_one_and_know_where_they_came_from():
    review = Review()
    review.extend([hunk(1, new=("x", "y")), hunk(2)])
    parts = review.split(1)
    assert len(parts) == 2 and review.ids == (*parts, 2)
    assert {review.source(part) for part in parts} == {1}
    review.accept(parts[1])
    assert apply_to_lines(FILE, review.accepted())[:3] == ["line 1", "y", "line 3"]
    assert review.summary([1]).count("\n") == 1
    assert review.split(parts[0]) == (parts[0],)


def test_what_stands_for_a_hunk_is_the_reverse_of_its_source_before_and_after_a_split():
    review = Review()
    review.add(hunk(1, old=4, new=("a", "b", "c", "d")))
    review.add(hunk(2))
    for _ in range(2):
        for source in (1, 2):
            standing = [item for item in review.ids if review.source(item) == source]
            assert list(review.standing(source)) == standing
        if 1 in review.ids:
            review.split(1)
    assert list(review.standing(99)) == []


def test_what_was_applied_can_only_be_undone_in_the_files():
    review = Review()
    review.extend([hunk(1), hunk(2)])
    review.accept(1)
    review.mark_applied([1])
    assert review.state(1) == "applied" and review.accepted() == ()
    with pytest.raises(UsageError):
        review.reject(1)
    with pytest.raises(UsageError):
        review.mark_applied([2])
    review.mark_undone([1])
    assert review.state(1) == "undone"
    review.mark_applied([1])
    assert review.state(1) == "applied"


def test_the_summary_has_the_outcome_of_each_hunk():
    review = Review()
    review.extend([hunk(1), hunk(2), hunk(3), hunk(4, partial=True), Hunk(5, "n.py", 1, (), ("x",), "add")])
    review.accept(1)
    review.reject(2)
    review.edit(3, "mine\nand mine\n")
    review.drop(4)
    review.accept(5)
    assert review.summary() == (
        "a.py:1: accepted\na.py:5: rejected\na.py:9: changed by the user to\n+mine\n+and mine\n"
        "a.py:13: rejected\nadd n.py: accepted"
    )


class ReviewMachine(RuleBasedStateMachine):
    """A model of the review: the state of each hunk. Hunks arrive at any time."""

    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.review = Review()
        self.states = {}
        self.partial = set()
        self.count = 0

    @rule(target=ids, partial=st.booleans())
    def arrive(self, partial):
        if self.count >= 9:
            return 1
        self.count += 1
        self.review.add(hunk(self.count, new=("x", "y"), partial=partial))
        self.partial |= {self.count} if partial else set()
        self.states[self.count] = "partial" if partial else "open"
        return self.count

    @rule(hunk_id=ids, act=st.sampled_from(["accept", "reject", "edit", "reopen", "keep", "drop"]))
    def decide(self, hunk_id, act):
        before = self.states[hunk_id]
        partial_act = act in ("keep", "drop")
        again = act == "keep" and before == "rejected" and hunk_id in self.partial  # it was kept before
        allowed = (
            (before == "partial" or again)
            if partial_act
            else before in ("open", "accepted", "rejected", "edited")
        )
        method = getattr(self.review, act)
        words = ("text\n",) if act == "edit" else ()
        if not allowed:
            with pytest.raises(UsageError):
                method(hunk_id, *words)
            return
        method(hunk_id, *words)
        reopened = "partial" if hunk_id in self.partial else "open"
        goal = {
            "accept": "accepted",
            "reject": "rejected",
            "edit": "edited",
            "reopen": reopened,
            "keep": "open",
        }
        after = goal.get(act, "dropped")
        if act == "accept" and before == "edited":
            return
        self.states[hunk_id] = after

    @precondition(lambda self: self.count)
    @invariant()
    def states_agree(self):
        assert {item: self.review.state(item) for item in self.review.ids} == self.states
        accepted = {item.id for item in self.review.accepted()}
        assert accepted == {one for one, state in self.states.items() if state in ("accepted", "edited")}
        lines = apply_to_lines(FILE, self.review.accepted())
        untouched = {item.old_start for item in self.review.undecided() if item.id not in accepted}
        assert all(FILE[start - 1] in lines for start in untouched)


@pytest.mark.parametrize("examples", [25, pytest.param(1000, marks=pytest.mark.slow)], ids=["quick", "slow"])
def test_any_sequence_of_decisions_agrees_with_the_model(examples):
    run_state_machine_as_test(ReviewMachine, settings=settings(max_examples=examples, deadline=None))


def test_what_fails_is_taken_back():
    review = Review()
    review.extend([hunk(1, new=("x", "y")), hunk(2)])
    with pytest.raises(ZeroDivisionError), review.unless_it_fails():
        review.accept(2)
        review.split(1)
        raise ZeroDivisionError
    assert (review.ids, review.state(2)) == ((1, 2), "open")


def test_a_split_that_is_taken_back_leaves_no_trace_in_the_numbers_of_the_next():
    review = Review()
    review.add(Hunk(1, "a.py", 1, ("a", "b"), ()))
    with pytest.raises(OSError, match="full"), review.unless_it_fails():
        review.split(1)
        raise OSError("full")
    assert review.split(1) == (FIRST_OWN_ID, FIRST_OWN_ID + 1)
    assert list(review.standing(1)) == [FIRST_OWN_ID, FIRST_OWN_ID + 1]


def test_the_number_of_a_part_that_is_taken_back_stands_for_no_hunk_of_the_first_file():
    review = Review()
    review.extend([Hunk(1, "a.py", 1, ("a", "b"), ()), Hunk(3, "b.py", 1, ("a", "b"), ())])
    with pytest.raises(OSError, match="full"), review.unless_it_fails():
        review.split(1)
        raise OSError("full")
    parts = review.split(3)
    assert len(parts) > 1
    assert review.ids_in(["open"], "a.py") == [1]
    assert review.ids_in(["open"], "b.py") == [*parts]

"""Hunks in the same lines of the files, of which only one is wanted: a model's later hunk takes in an earlier
one, and replaces it until it is turned down itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from spark_tui import events
from spark_tui.edits.hunk import Hunk, overlaps
from spark_tui.edits.review import Replaced, Review
from spark_tui.session.review.messages import excludes, same_change
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.tree.moved_hunks import States, waiting

_LIVE = ("open", "accepted", "edited", "partial", "applied")
_ACCEPTED = ("accepted", "edited")
_TAKEN_BACK: dict[str, events.Decision] = {
    "open": "rejected",
    "accepted": "rejected",
    "edited": "rejected",
    "partial": "dropped",
}


def follow_from(
    decided: events.Decided,
    review: Review,
    records: TurnRecords,
    hunks_of: Callable[[TurnRecord], States],
    decide: Callable[[events.Decided], None],
) -> Iterator[events.Decided]:
    """The decisions about other hunks that follow from one, each made before it is given. Where all hunks
    that replaced one of an earlier turn are turned down, it is back as it was; where one of two that exclude
    each other is taken, the other is not, and what that had replaced besides is back."""
    hunk_id = decided.hunk_id
    if decided.decision in ("rejected", "dropped"):
        follows = _given_back(hunk_id, review, records, hunks_of)
    elif decided.decision in ("accepted", "edited", "open"):
        follows = itertools.chain(_excluded(hunk_id, review), _taken_from(hunk_id, review, records, hunks_of))
    else:
        follows = iter(())
    for found in follows:
        decide(found)
        yield found
        if decided.decision not in ("rejected", "dropped") and found.decision in ("rejected", "dropped"):
            yield from follow_from(found, review, records, hunks_of, decide)


def _given_back(
    hunk_id: int, review: Review, records: TurnRecords, hunks_of: Callable[[TurnRecord], States]
) -> Iterator[events.Decided]:
    """What was replaced last comes first. Where another hunk was accepted meanwhile that excludes one, that
    one waits for this other."""
    for earlier in reversed(list(review.replaced)):
        later = _later(earlier, review)
        own = records.of_hunk(review.source(hunk_id)) is records.of_hunk(review.source(earlier))
        was = review.replaced[earlier]
        if hunk_id not in later or own or was.by_person or review.state(earlier) != "rejected":
            continue
        if not any(review.state(one) in _LIVE for one in later) and not _gave_way(earlier, review):
            taken = _rivals(earlier, review, records, hunks_of) if was.state in _ACCEPTED else ()
            by = " ".join(str(rival.id) for rival in taken)
            yield events.Decided(earlier, "rejected", by) if by else _again(review, earlier, was)


def _gave_way(hunk_id: int, review: Review) -> bool:
    """Whether one is wanted again whose place the hunk had taken."""
    live = (one for one in review.replaced if one in review.ids and review.state(one) in _LIVE)
    return any(hunk_id in _later(one, review) for one in live)


def _again(review: Review, hunk_id: int, was: Replaced) -> events.Decided:
    """The decision by which a hunk is what it was."""
    if was.state == "edited":
        text = "".join(f"{line}\n" for line in review.hunk(hunk_id).new_lines)
        return events.Decided(hunk_id, "edited", text)
    if was.state == "open" and review.was_kept(hunk_id):
        return events.Decided(hunk_id, "kept")
    return events.Decided(hunk_id, "accepted" if was.state == "accepted" else "open")


def _excluded(hunk_id: int, review: Review) -> Iterator[events.Decided]:
    for later in _later(hunk_id, review) if hunk_id in review.replaced else ():
        if word := _TAKEN_BACK.get(review.state(later)):
            yield events.Decided(later, word)
    for earlier, replaced in list(review.replaced.items()):
        if review.state(earlier) in ("open", "accepted", "edited") and hunk_id in _later(earlier, review):
            yield events.Decided(earlier, "rejected", " ".join(map(str, replaced.by)))


def _taken_from(
    hunk_id: int, review: Review, records: TurnRecords, hunks_of: Callable[[TurnRecord], States]
) -> Iterator[events.Decided]:
    if review.state(hunk_id) in _ACCEPTED:
        for rival in _rivals(hunk_id, review, records, hunks_of):
            yield events.Decided(rival.id, "rejected", str(hunk_id))


def _rivals(
    hunk_id: int, review: Review, records: TurnRecords, hunks_of: Callable[[TurnRecord], States]
) -> Iterator[Hunk]:
    """Accepted hunks that could not be written with this one."""
    own = records.of_hunk(review.source(hunk_id))
    hunk = review.hunk(hunk_id)
    if own is None:
        return
    there = review.ids_in(_ACCEPTED, hunk.path)
    of_path = [(records.of_hunk(review.source(known)), review.hunk(known)) for known in there]
    for other in {id(found): found for found, _ in of_path if found is not None}.values():
        if other is own:
            mine = (one for found, one in of_path if found is own and one.id != hunk_id)
            yield from (one for one in mine if overlaps(hunk, one))
        else:
            hunks = hunks_of(other)
            moved = (one for one, _ in waiting(hunks, other.tree, own.tree, _ACCEPTED))
            yield from (one for one in moved if excludes(hunk, one) or same_change(hunk, one))


def _later(hunk_id: int, review: Review) -> list[int]:
    """What took the place of a hunk, and of that, as it stands in the review. In turn, a hunk may have taken
    the place of one that took its own."""
    out: list[int] = []
    todo = [hunk_id]
    while todo:
        at = todo.pop()
        found = (
            [
                one
                for by in review.replaced[at].by
                for one in review.standing(by)
                if one not in out and one != hunk_id
            ]
            if at in review.replaced
            else []
        )
        out += found
        todo += found
    return out

from spark_tui import events
from spark_tui.session.review.hunk_doubts import HunkDoubts

PLACE = events.Doubt(1, 0.0, "breaks b.py:3: x", "b.py", 3)


def doubts_after(*seen):
    doubts = HunkDoubts()
    for event in seen:
        doubts.note(event)
    return doubts


def test_a_place_that_breaks_says_more_than_a_model_that_is_unsure():
    doubts = doubts_after(events.Doubt(1, 0.4, "unsure"), events.Checked((1,)), PLACE)
    assert doubts.reason(1) == "breaks b.py:3: x"
    assert len(doubts.of(1)) == 2
    assert (doubts.reason(2), doubts.of(2)) == ("", ())


def test_further_places_are_counted():
    assert doubts_after(PLACE, PLACE).reason(1) == "breaks b.py:3: x (and 1 more)"


def test_a_check_replaces_the_one_before_and_leaves_the_model_its_doubt():
    doubts = doubts_after(events.Doubt(1, 0.4, "unsure"), PLACE, events.Checked((1,)))
    assert doubts.of(1) == (events.Doubt(1, 0.4, "unsure"),)


def test_an_edit_that_names_what_it_left_is_only_a_part():
    doubts = doubts_after(events.Doubt(1, 0.5, "not renamed: x in b.py", part=True), PLACE)
    assert doubts.is_part(1) and not doubts_after(PLACE).is_part(1)

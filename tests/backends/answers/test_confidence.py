"""How sure a line is: the likelier the surer, and less so where it does not fit what stands around it."""

import pytest

from spark_tui.backends.answers.confidence import (
    WEIGHTS,
    LineCandidate,
    LineContext,
    candidate_confidences,
    candidate_features,
)
from spark_tui.backends.answers.line_suggestions import LIKE

ABOVE = ["def area(width, height):", "    total = width * height"]
BEHIND = ["    return total"]


def sure(text, typed="    ", likely=-1.0, above=ABOVE, behind=BEHIND, **more):
    return candidate_confidences(
        [LineCandidate(text, [likely / 2] * 2, **more)], LineContext(above, behind, typed)
    )[0]


def seen(text, typed="    ", above=ABOVE, behind=BEHIND, others=-9.0, **more):
    return candidate_features(
        LineCandidate(text, [-0.5, -0.5], **more), others, LineContext(above, behind, typed)
    )


def test_every_weight_is_about_something_that_is_seen():
    assert set(WEIGHTS) == set(seen("x = 1"))


def test_a_likelier_line_is_surer_and_no_line_is_more_than_certain():
    chances = [sure("total += width", likely=likely) for likely in (-5.0, -2.0, -0.5, 0.0)]
    assert chances == sorted(chances)
    assert 0 < chances[0] < 0.1 < chances[-1] < 1


def test_a_second_way_takes_from_a_first():
    around = LineContext(ABOVE, BEHIND, "    ")
    one, other = LineCandidate("total += width", [-0.7]), LineCandidate("total += height", [-0.8])
    assert candidate_confidences([one, other], around)[0] < candidate_confidences([one], around)[0]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("return total", "return width"),
        ("totals += width", "total += width"),
    ],
)
def test_what_stands_beside_it_already_or_has_strange_names_is_less_sure(worse, better):
    assert sure(worse) < sure(better)


def test_a_block_needs_a_head_and_a_head_a_block():
    body, plain = ["        return total"], BEHIND
    assert seen("if width:", behind=body)["head without a block"] == 0
    assert seen("if width:", behind=plain)["head without a block"] == 1
    assert seen("total = 1", behind=body)["block without a head"] == 1
    assert seen("total = 1", behind=plain)["block without a head"] == 0
    assert seen("total = sum(", behind=body)["opens a block"] == 1
    assert sure("if width:", behind=body) > sure("if width:", behind=plain)
    assert sure("total = width", behind=plain) > sure("total = width", behind=body)


def test_brackets_in_text_and_comments_open_nothing():
    assert seen('print("(")')["opens"] == 0
    assert seen("print()  # (")["opens"] == 0
    assert seen("print((")["opens"] == 2


def test_names_are_known_from_both_sides_and_the_begun_word_is_not_one_of_them():
    assert seen("width", "    to")["unknown"] == 1
    assert seen("tal + width", "    to")["unknown"] == 0
    assert seen("len(width)", "    x = ")["unknown"] == 0


def test_prose_is_told_by_its_quotes_and_marks():
    assert seen("a word", "    # ")["prose"]
    assert seen("a word", "    ", above=["def f():", '    """Begins'])["prose"]
    assert not seen("x = 1", "    ", above=["def f():", '    """Whole."""'])["prose"]


def test_what_it_was_suggested_by_counts():
    assert seen("x = 1", by={LIKE}, count=9)["suggested often"] == 3
    assert seen("x = 1", by={LIKE})["like"]
    assert seen("x = 1")["likely, suggested"] == 0

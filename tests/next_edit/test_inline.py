"""The rest of a line: from what followed before, the one name, the arguments of a call."""

from __future__ import annotations

import pytest

from spark_tui.next_edit.inline import complete_line

SHOP = """import logging

logger = logging.getLogger(__name__)


def price_of(item, currency):
    if item is None:
        raise ValueError("no item")
    logger.debug("priced %s", item)
    return item.price


def weight_of(item, unit):
    if item is None:
        raise ValueError("no item")
    logger.debug("weighed %s", item)
    return item.weight


def show(item, currency):
"""


def after(line: str, text: str = SHOP) -> str:
    lines = [*text.splitlines(), line]
    return complete_line(lines, len(lines) - 1, len(line))


def test_what_always_followed_here_follows_again():
    assert after("    if item is ") == "None:"
    assert after("        raise Val") == 'ueError("no item")'


def test_it_stops_where_the_file_went_on_in_two_ways():
    assert after("    logger.debug(") == ""


def test_the_one_name_that_begins_like_this_is_completed():
    assert after("    x = weigh") == "t_of"
    assert after("    x = item.weig") == "ht"


@pytest.mark.parametrize("line", ["    x = w", "    x = pri", "    # weigh", '    """weigh', "", "    "])
def test_nothing_is_shown_where_it_is_not_sure(line):
    assert after(line) == ""


def test_a_call_takes_the_names_of_its_parameters():
    assert after("    x = price_of(") == "item, currency)"


def test_a_call_whose_parameters_have_other_names_here_gets_nothing():
    assert after("    x = weight_of(") == ""


def test_a_new_name_is_nobodys_to_complete():
    assert after("def weigh") == ""


def test_half_typed_code_around_does_no_harm():
    assert after("    x = weigh", SHOP + "    y = (\n") == "t_of"

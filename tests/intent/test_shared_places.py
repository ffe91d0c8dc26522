"""The place that one of several orders names is that of the others."""

from __future__ import annotations

from spark_tui.intent.readings import Order, Reading, Span
from spark_tui.intent.shared_places import with_place, without_repeats


def order(intent: str, **slots: str) -> Order:
    made = {slot: (Span(0, len(text), text),) for slot, text in slots.items()}
    return Order(0, 9, (Reading(intent, 0.9, made),))


def test_an_order_without_a_place_takes_that_of_the_nearest() -> None:
    found = with_place(
        order("log_exception"),
        [order("sort_imports"), order("set_except", function="load", exception="OSError")],
    )
    assert found is not None
    assert found.readings[0].text("function") == "load"


def test_an_order_with_a_place_of_its_own_keeps_it() -> None:
    assert (
        with_place(order("log_exception", function="save"), [order("cache_results", function="load")]) is None
    )


def test_what_has_no_place_takes_none() -> None:
    assert with_place(order("chat"), [order("cache_results", function="load")]) is None


def test_an_order_that_says_the_same_again_and_names_nothing_is_a_part_of_the_other() -> None:
    again = [order("pattern.remove_else"), order("pattern.remove_else", function="get_jobs")]
    (found,) = without_repeats(again)
    assert found.readings[0].text("function") == "get_jobs"
    assert (found.start, found.end) == (0, 9)


def test_two_orders_of_one_kind_that_name_different_things_stay_two() -> None:
    both = [order("set_docstring", function="add"), order("set_docstring", function="sub")]
    assert without_repeats(both) == both

"""The place that one of several orders names is that of the others."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.orders.repeated_orders import without_repeats
from spark_tui.intent.reading.shared_places import (
    repeat_elsewhere,
    subject,
    with_new_names,
    with_place,
    without_it,
)
from spark_tui.intent.words.readings import Order, Reading, Span


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
    (found,) = without_repeats(again, "")
    assert found.readings[0].text("function") == "get_jobs"
    assert (found.start, found.end) == (0, 9)


def test_two_orders_of_one_kind_that_name_different_things_stay_two() -> None:
    both = [order("set_docstring", function="add"), order("set_docstring", function="sub")]
    assert without_repeats(both, "") == both


def test_it_is_what_the_order_in_front_is_about() -> None:
    front = order("rename", symbol="load", new="fetch")
    found = with_place(order("remove_definition"), [front], "then delete it")
    assert found is not None
    assert found.readings[0].text("symbol") == "fetch"


def test_it_is_a_value_where_the_order_needs_one() -> None:
    front = order("rename", symbol="RETRIES", new="TRIES")
    found = with_place(order("set_value", value="4"), [front], "also set it to 4")
    assert found is not None
    assert found.readings[0].text("variable") == "TRIES"


def test_what_is_its_stands_in_what_the_order_in_front_is_about() -> None:
    front, renamed = order("rename", symbol="load", new="fetch"), order("rename", symbol="s", new="text")
    found = with_place(renamed, [front], "and rename its parameter s to text")
    assert found is not None
    assert (found.readings[0].text("symbol"), found.readings[0].text("function")) == ("s", "fetch")
    assert with_place(renamed, [front], "and rename s to text, it is one") is None


def test_there_says_where_a_name_is_looked_for() -> None:
    renamed, front = order("rename", symbol="path", new="file"), order("set_default", function="Box.open")
    found = with_place(renamed, [front], "and rename path there to file")
    assert found is not None
    assert found.readings[0].text("function") == "Box.open"
    typed = order("annotate_variable", variable="path", symbol="path", type="str")
    assert with_place(replace(typed, readings=renamed.readings), [front], "and rename path") == found


def test_the_same_elsewhere_is_the_order_in_front() -> None:
    front = order("rename", symbol="handle", new="file", function="load")
    found = repeat_elsewhere(order("cache_results", function="save"), front, ", do the same in save")
    assert found is not None
    assert found.readings[0].intent == "rename"
    assert [found.readings[0].text(slot) for slot in ("symbol", "new", "function")] == [
        "handle",
        "file",
        "save",
    ]
    assert repeat_elsewhere(order("cache_results", function="save"), front, "and cache save") is None


def test_a_name_of_before_is_that_of_now() -> None:
    found = with_new_names(order("set_value", variable="TAX", value="0.2"), {"TAX": "VAT"})
    assert found is not None
    assert found.readings[0].text("variable") == "VAT"
    assert with_new_names(order("set_value", variable="RATE", value="0.2"), {"TAX": "VAT"}) is None


def test_a_pronoun_is_no_name() -> None:
    assert subject(order("set_docstring", function="it", text="Load.")) == ""
    found = without_it(order("set_docstring", function="it", text="Load.").readings[0])
    assert dict(found.slots).keys() == {"text"}


def test_what_an_order_needs_and_does_not_name_is_that_of_the_nearest() -> None:
    front = order("set_default", parameter="size", default="3", function="load")
    found = with_place(order("make_keyword_only"), [front], "and keyword only")
    assert found is not None
    assert (found.readings[0].text("parameter"), found.readings[0].text("function")) == ("size", "load")


def test_an_order_in_front_of_a_rename_means_the_old_name() -> None:
    behind = replace(order("rename", symbol="load", new="fetch"), start=20, end=40)
    found = with_place(order("make_private"), [behind], "make it private")
    assert found is not None
    assert found.readings[0].text("symbol") == "load"

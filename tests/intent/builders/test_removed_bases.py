"""Bases that go: of several classes, by number, or the only ones that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = "class Top:\n    pass\n\n\nclass Mix:\n    pass\n\n\n"
CODE += "".join(f"class {one}:\n    x = 1\n\n\n" for one in ("Job(Top)", "Batch(Top)", "Both(Mix, Top)"))


def asked(text: str, classes: list[str], base: str = "") -> Answer:
    def span(one: str) -> Span:
        return Span(text.index(one), text.index(one) + len(one), one)

    slots = {"class": tuple(map(span, classes)), **({"base": (span(base),)} if base else {})}
    order = Order(0, len(text), (Reading("remove_base", 0.95, slots),))
    return answer_orders([order], situation({PATH: CODE}, instruction=text))


@pytest.mark.parametrize(
    ("text", "classes", "base"),
    [
        ("remove the base of Job and Batch", ["Job"], "Batch"),
        ("remove the bases of Job and Batch", ["Job", "Batch"], ""),
        ("drop the base class Top from Job and Batch", ["Top", "Batch"], "Job"),
    ],
)
def test_classes_that_are_joined_lose_their_base_each(text: str, classes: list[str], base: str) -> None:
    wanted = CODE.replace("Job(Top)", "Job").replace("Batch(Top)", "Batch")
    assert result(asked(text, classes, base), {PATH: CODE}) == wanted


@pytest.mark.parametrize(
    ("text", "base", "now"),
    [
        ("remove the bases of Both", "", "Both"),
        ("remove the last base of Both", "last", "Both(Mix)"),
        ("remove the first base of Both", "", "Both(Top)"),
        ("remove Top from the bases of Both", "Top", "Both(Mix)"),
    ],
)
def test_of_several_bases_those_go_that_are_said(text: str, base: str, now: str) -> None:
    assert result(asked(text, ["Both"], base), {PATH: CODE}) == CODE.replace("Both(Mix, Top)", now)


def test_each_of_several_bases_may_be_meant() -> None:
    found = asked("remove the base of Both", ["Both"])
    assert found.kind == "choices" and len(found.ways) == 2


def test_each_is_told_where_one_of_several_classes_has_several() -> None:
    found = asked("remove the base of Job and Both", ["Job", "Both"])
    after = {result(replace(found, ways=(way,)), {PATH: CODE}) for way in found.ways}
    wanted = CODE.replace("Job(Top)", "Job")
    assert after == {wanted.replace("Both(Mix, Top)", one) for one in ("Both(Mix)", "Both(Top)")}


def test_a_class_that_derives_from_nothing_loses_all_bases() -> None:
    found = asked("Both should not derive from anything", ["Both"], "anything")
    assert result(found, {PATH: CODE}) == CODE.replace("Both(Mix, Top)", "Both")


def test_a_class_that_is_said_to_be_no_base_is_not_changed() -> None:
    assert asked("Batch should not derive from Job", ["Batch"], "Job").kind == "nothing"
    assert not asked("remove the base of Mix", ["Mix"]).ways


def test_a_base_in_a_list_of_classes_loses_its_own() -> None:
    code = CODE.replace("class Batch(Top)", "class Batch(Job)")
    text = "remove the bases of Batch, Job and Both"
    slots = {"class": ("Batch", "Both"), "base": ("Job",)}
    spans = {
        slot: tuple(Span(text.index(one), text.index(one) + len(one), one) for one in own)
        for slot, own in slots.items()
    }
    order = Order(0, len(text), (Reading("remove_base", 0.95, spans),))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    wanted = code.replace("(Job)", "").replace("(Top)", "").replace("(Mix, Top)", "")
    assert result(found, {PATH: code}) == wanted

"""Places that are named behind *everywhere but* or *except* are left out, wherever they stand."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH, result, situation
from support.long_texts import ENDLESS

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.exceptions_said import with_exceptions
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.places_left_out import find_left_out
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = "def decode(string):\n    return string\n\n\ndef encode(string):\n    return [string]\n"


@pytest.mark.parametrize(
    "said",
    [
        "everywhere but in decode, rename string to chars",
        "rename string to chars in all functions except decode",
        "partout sauf dans decode, renomme string en chars",
    ],
)
def test_a_place_that_is_excepted_is_left_alone(said: str) -> None:
    found = answer_to(CODE, said, "rename", symbol="string", new="chars", function="decode")
    done = result(found, {PATH: CODE})
    assert done.startswith("def decode(string):\n    return string\n") and "return [chars]" in done


def test_but_alone_excepts_nothing() -> None:
    said = "rename string to chars, but in decode"
    found = answer_to(CODE, said, "rename", symbol="string", new="chars", function="decode")
    assert result(found, {PATH: CODE}).startswith("def decode(chars):")


@pytest.mark.parametrize("kept", ["decode", "encode"])
def test_an_edit_of_nothing_but_what_is_excepted_is_marked(kept: str) -> None:
    said = f"decode returns str, but leave {kept} alone"
    left = said.rindex(kept)
    slots = {"function": (Span(0, 6, "decode"),), "type": (Span(15, 18, "str"),)}
    reading = Reading("annotate_return", 0.97, slots, left_out=(Span(left, left + 6, kept),))
    found = answer_orders([Order(0, len(said), (reading,))], situation({PATH: CODE}, instruction=said))
    assert ("not left out: decode" in found.ways[0].marked) is (kept == "decode")


@pytest.mark.parametrize(
    "said", ["log the error in the except in load", "in every except of load log the error"]
)
def test_the_branch_of_a_try_is_no_exception(said: str) -> None:
    at = said.index("load")
    reading = Reading("add_log", 0.9, {"function": (Span(at, at + 4, "load"),)})
    assert with_exceptions(reading, said) == reading


LOUD = "def hit(n):\n    print(n)\n\n\ndef heal(n):\n    print(n)\n\n\ndef rest(n):\n    print(n)\n"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("print to stderr in hit, but leave those in heal", "heal"),
        ("print to stderr in hit and keep heal as it is", "heal"),
        ("print to stderr in hit. keep the one in heal", "heal"),
        ("print to stderr in hit, keep the buffer in heal", ""),
        ("print to stderr in hit and in heal", ""),
    ],
)
def test_what_is_to_be_left_as_it_is_is_left_out(said: str, kept: str) -> None:
    spans = tuple(Span(at, at + len(name), name) for name in ("hit", "heal") if (at := said.index(name)))
    reading = with_exceptions(Reading("print_to_stderr", 0.9, {"function": spans}), said)
    assert [span.text for span in reading.left_out] == [kept] * bool(kept)
    assert not reading.everywhere
    found = answer_orders([Order(0, len(said), (reading,))], situation({PATH: LOUD}, instruction=said))
    done = result(found, {PATH: LOUD})
    assert done.count("stderr") == (1 if kept else 2) and "def rest(n):\n    print(n)\n" in done


def test_a_package_that_is_left_out_is_all_of_its_folder() -> None:
    files = dict.fromkeys(("md/core.py", "md/plugins/__init__.py", "md/plugins/table.py", "plugins.py"), "")
    told = situation(files, path="md/core.py")
    for said, kept in (("plugins", 3), ("md/plugins", 2), ("core", 1)):
        places = find_left_out((Span(0, len(said), said),), told, names_of(told.repo, told.path))
        assert len({path for path, _, _ in places}) == kept, said


COMMENTS = """\
import os  # noqa: F401


# load it
def load(path):
    print("first")
    print("second")  # noqa: T201
    return path  # the path
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "gone"),
    [
        (
            "remove all comments except the one about the path",
            "remove_comments",
            {},
            ["# load it"],
        ),
        (
            "remove every comment but the noqa ones",
            "remove_comments",
            {"text": "noqa"},
            ["# load it", "# the path"],
        ),
        (
            "remove all the comments, but keep the path comment",
            "remove_comments",
            {},
            ["# load it"],
        ),
        ("delete all prints except the one of 'first'", "delete_calls", {"call": "prints"}, ['"second"']),
    ],
)
def test_what_is_excepted_by_its_words_stays(
    text: str, intent: str, slots: dict[str, str], gone: list[str]
) -> None:
    answer = answer_to(COMMENTS, text, intent, **slots)
    assert answer.ways, answer.reason
    after = result(answer, {PATH: COMMENTS})
    told = ["# noqa: F401", "# load it", '"first"', '"second"', "# noqa: T201", "# the path"]
    assert [one for one in told if one not in after and one != "# noqa: T201"] == gone
    assert not any(is_of(mark, DoubtKind.NOT_LEFT_OUT) for mark in answer.ways[0].marked)


LOADING = """\
def load(path):
    print("loading")
    print("done")


def save(path):
    print("saving")
"""


def test_those_in_a_function_are_left_out_though_a_line_has_its_name_as_a_word() -> None:
    answer = answer_to(
        LOADING, "remove every print but those in load", "delete_calls", call="print", function="load"
    )
    after = result(answer, {PATH: LOADING})
    assert [one for one in ("loading", "done", "saving") if one in after] == ["loading", "done"]


def test_an_exception_that_is_not_found_is_marked() -> None:
    answer = answer_to(COMMENTS, "remove all comments except the licence", "remove_comments")
    assert any(is_of(mark, DoubtKind.NOT_LEFT_OUT) for mark in answer.ways[0].marked)


def test_nothing_is_no_exception() -> None:
    # Where another order begins with the exception, its words are blank in this one.
    reading = with_exceptions(Reading("delete_calls", 0.9), "remove every print except      ")
    assert reading.left_out == ()


@pytest.mark.parametrize(
    ("said", "intent", "slot", "kept"),
    [
        ("delete poll and keep wait", "remove_definition", "symbol", ("poll", "wait")),
        ("make FEE 3 and leave MOST", "set_value", "variable", ("FEE", "MOST")),
        ("default of books but not members", "set_default", "parameter", ("books", "members")),
        ("remove the comment in save, not the one in load", "remove_comments", "function", ("save", "load")),
        ("remove the else in save, but leave the else in load", "set_return", "function", ("save", "load")),
    ],
)
def test_of_things_that_are_named_together_one_may_be_excepted(
    said: str, intent: str, slot: str, kept: tuple[str, str]
) -> None:
    spans = tuple(Span(said.index(one), said.index(one) + len(one), one) for one in kept)
    read = with_exceptions(Reading(intent, 0.9, {slot: spans}), said)
    assert [span.text for span in read.slots[slot]] == [kept[0]]
    assert [span.text for span in read.left_out] == [kept[1]]


def test_many_articles_are_looked_at_once() -> None:
    with_exceptions(Reading("delete_calls", 0.9, {}), "every of the the " * (ENDLESS // 17))


@pytest.mark.parametrize("front", ["unlike", "as opposed to", "just like the", "im Gegensatz zu"])
def test_what_a_thing_is_compared_with_is_not_changed(front: str) -> None:
    said = f"{front} decode, rename encode to pack"
    done = edited(said, "rename", {"symbol": "decode + encode", "new": "pack"}, CODE)
    assert done == CODE.replace("encode", "pack")
    alone = f"{front} decode it is badly named, call it pack"
    assert edited(alone, "rename", {"symbol": "decode", "new": "pack"}, CODE) is None


def test_all_of_a_kind_but_one_leaves_that_one() -> None:
    classes = "from dataclasses import dataclass\n"
    classes += "".join(f"\n\n@dataclass\nclass {name}:\n    x: int\n" for name in ("Ant", "Bee", "Cat"))
    done = edited("make all dataclasses but Bee frozen", "to_dataclass", {"class": "Bee"}, classes) or ""
    assert done.count("@dataclass(frozen=True)\nclass") == 2 and "@dataclass\nclass Bee" in done


@pytest.mark.parametrize(
    ("said", "left"), [("drop object bases except Token", True), ("in the except Token", False)]
)
def test_of_several_things_one_is_excepted_by_except_alone(said: str, left: bool) -> None:
    name = Span(said.index("Token"), len(said), "Token")
    found = with_exceptions(Reading("remove_base", 0.95, {"class": (name,)}), said)
    assert (found.left_out == (name,)) is left and bool(found.slots) is not left

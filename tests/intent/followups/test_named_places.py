"""What an edit did, done at the places that words of a message stand at, or left at them alone."""

from __future__ import annotations

import pytest
from intent.following import answer_behind
from intent.support import PATH

from spark_tui.codemods.families.texts.docstrings import SetDocstring
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.situation import Candidate, Done
from spark_tui.intent.followups.amendments.done_elsewhere import with_text_kept
from spark_tui.intent.words.readings import Reading

CODE = """import json


def load(path):
    with open(path) as handle:
        return json.load(handle)


def save(path, data):
    with open(path, "w") as handle:
        json.dump(data, handle)


def split(row):
    name = row[0]
    city = row[1]
    team = row[2]
    return name, city, team
"""
UTF8 = CODE.replace("open(path) as", 'open(path, encoding="utf-8") as')
NAME, TEAM = "name = row[0]", "team = row[2]"
ALL = CODE
for at in range(3):
    ALL = ALL.replace(f"row[{at}]\n", f"row[{at}].strip()\n")


@pytest.mark.parametrize("message", ["the saving one needs that as well", "and when writing too"])
def test_words_of_a_function_or_the_only_other_place_say_where(message: str) -> None:
    _, text = answer_behind(CODE, UTF8, message, "amend.further")
    assert text == UTF8.replace('open(path, "w")', 'open(path, "w", encoding="utf-8")')


@pytest.mark.parametrize(("message", "line"), [("the last one as well", TEAM), ("team too. city not", TEAM)])
def test_one_of_several_places_is_counted_or_named(message: str, line: str) -> None:
    written = CODE.replace(NAME, f"{NAME}.strip()")
    _, text = answer_behind(CODE, written, message, "amend.value")
    assert text == written.replace(line, f"{line}.strip()")


def test_what_is_named_is_no_further_place_if_it_is_something_else() -> None:
    written = CODE.replace(NAME, f"{NAME}.strip()")
    found, text = answer_behind(CODE, written, "handle too", "amend.value")
    assert found.kind != "edit" or ".strip()" not in text.replace(f"{NAME}.strip()", "")


@pytest.mark.parametrize("message", ["only name and team", "name and team are enough"])
def test_nothing_but_the_named_parts_stays(message: str) -> None:
    _, text = answer_behind(CODE, ALL, message, "amend.value", value="name and team")
    assert text == ALL.replace("row[1].strip()", "row[1]")


def test_a_part_that_is_not_needed_goes() -> None:
    _, text = answer_behind(CODE, ALL, "city doesn't need it", "amend.value", value="city")
    assert text == ALL.replace("row[1].strip()", "row[1]")


def test_no_with_the_word_for_a_part_takes_it_out() -> None:
    written = CODE.replace("def load(path):", "def load(path: str) -> dict:")
    _, text = answer_behind(CODE, written, "no return type", "annotate_return")
    assert text == CODE.replace("def load(path):", "def load(path: str):")


def test_an_attribute_is_checked_like_another_one_of_its_object() -> None:
    was = "def run(args):\n    return args.source, args.target\n"
    check = "    if not args.source:\n        return 1\n"
    _, text = answer_behind(
        was,
        was.replace("    return", f"{check}    return"),
        "same for the target",
        "amend.also",
        variable="target",
    )
    both = check + check.replace("source", "target")
    assert text == was.replace("    return", f"{both}    return")


def test_a_docstring_for_one_that_becomes_that_of_another_is_marked() -> None:
    call = SetDocstring(Symbol("bake", PATH), "Whether it is hot.")
    found = [Candidate((call,), Reading("amend.also", 0.9, {}))]
    (same,) = with_text_kept(found, Done("set_docstring", {}, (call,)))
    assert same.doubts == ("the same docstring was assumed to be meant",)
    (other,) = with_text_kept(found, Done("set_docstring", {}, (SetDocstring(call.target, "Other."),)))
    assert not other.doubts

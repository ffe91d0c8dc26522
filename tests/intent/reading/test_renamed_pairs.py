"""Several renames under one verb are orders of their own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from intent.support import PATH, result

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = {
    PATH: "def scale(value, factor):\n    return value * factor\n\n\ndef total(rows):\n    return sum(rows)\n"
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def asked(reader: Reader, text: str, files: Mapping[str, str] = CODE) -> Answer:
    repo = Repository(DictTree(files))
    return answer(text, reader, Situation(repo, PATH), repository_roles(repo.index, (PATH,)))


@pytest.mark.parametrize(
    "text",
    [
        "rename scale to stretch and total to add_up",
        "rename scale to stretch, total to add_up",
        "rename `scale` to `stretch` and the function `total` to `add_up`",
        "benenne scale in stretch und total in add_up um",
    ],
)
def test_each_name_in_front_of_its_new_one_is_a_rename(reader: Reader, text: str) -> None:
    changed = result(asked(reader, text), CODE)
    assert "def stretch(value, factor)" in changed and "def add_up(rows)" in changed


@pytest.mark.parametrize(
    "text",
    [
        "rename parameters value and factor of scale to v and f",
        "rename value to v and factor to f in scale",
    ],
)
def test_a_list_of_names_goes_with_the_list_of_new_ones(reader: Reader, text: str) -> None:
    assert result(asked(reader, text), CODE).startswith("def scale(v, f):\n    return v * f\n")


@pytest.mark.parametrize("said", ["its parameter", "the argument"])
def test_a_parameter_behind_a_function_is_that_functions(reader: Reader, said: str) -> None:
    files = {PATH: "def weigh(rows):\n    return rows\n\n\n" + CODE[PATH]}
    changed = result(asked(reader, f"rename total to add_up and {said} rows to lines", files), files)
    assert changed.startswith("def weigh(rows):") and "def add_up(lines)" in changed


def test_a_rename_of_what_is_unknown_is_named_beside_the_other(reader: Reader) -> None:
    found = asked(reader, "rename scale to stretch and weigh to measure")
    assert "def stretch(" in result(found, CODE)
    assert any("weigh to measure" in mark for mark in found.ways[0].marked)


def test_lists_of_other_lengths_are_no_pairs(reader: Reader) -> None:
    found = asked(reader, "rename parameters value and factor of scale to v")
    assert found.kind != "edit" or found.ways[0].marked


def test_an_article_is_no_word_for_a_new_name(reader: Reader) -> None:
    changed = result(asked(reader, "rename scale to stretch and add a docstring to total"), CODE)
    assert "def stretch(" in changed and changed.count('"""') == 2 and "def total(" in changed


def test_renames_beside_another_order_are_one_each(reader: Reader) -> None:
    text = "in scale rename value to v, then factor to f, and add a docstring to total"
    changed = result(asked(reader, text), CODE)
    assert "def scale(v, f):\n    return v * f" in changed and changed.count('"""') == 2


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("rename scale to stretch out and total to add up", ("def stretch_out(", "def add_up(")),
        ("rename scale to make bigger, total to whole sum", ("def make_bigger(", "def whole_sum(")),
        ("rename scale to stretch and total to whole sum", ("def stretch(", "def whole")),
        ("rename scale to make bigger and add a docstring to total", ("def make_bigger(", '"""')),
    ],
)
def test_new_names_of_several_words_are_read_as_a_whole(
    reader: Reader, text: str, stands: tuple[str, str]
) -> None:
    changed = result(asked(reader, text), CODE)
    assert all(one in changed for one in stands)


@pytest.mark.parametrize(
    "text",
    [
        "rename value to v in scale and rows to many in total",
        "rename value to v everywhere and rows to many",
        "rename value to v here and rows to many here",
    ],
)
def test_a_place_is_no_part_of_a_new_name(reader: Reader, text: str) -> None:
    changed = result(asked(reader, text), CODE)
    assert "def scale(v, factor)" in changed and "def total(many)" in changed

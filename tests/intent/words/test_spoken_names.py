"""Names that are said in words, and parameters that are named by their place."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.names.told_by_place import with_parameter
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RoleTable, repository_roles, told_files
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.intent.words.spoken_names import join_spoken_names, with_signs
from spark_tui.intent.words.tokens import tokenize

CODE = {
    PATH: "class Cart:\n    def add(self, qty, price=0):\n        return qty * price\n\n\n"
    "def load(path, chunk_size=10):\n    return path, chunk_size\n"
}


def texts(instruction: str, *names: str) -> list[str]:
    known = RoleTable()
    for name in names:
        known.add(name, "function")
    return [item.text for item in join_spoken_names(tokenize(instruction), known).items]


@pytest.mark.parametrize(
    ("instruction", "name", "wanted"),
    [
        ("set the chunk size to 5", "chunk_size", ["set", "the", "chunk_size", "to", "5"]),
        ("drop none algorithm", "NoneAlgorithm", ["drop", "NoneAlgorithm"]),
        ("drop underscore abs underscore delta now", "_abs_delta", ["drop", "_abs_delta", "now"]),
        ("put an underscore before it", "before_it", ["put", "an", "underscore", "before_it"]),
        ("the chunk, size and all", "chunk_size", ["the", "chunk", ",", "size", "and", "all"]),
        ("在计算里加数量", "计算", ["在", "计算", "里", "加", "数", "量"]),
        ("把 计算_2 删掉", "计算_2", ["把", "计算_2", "删", "掉"]),
        ("计 算", "计算", ["计", "算"]),
    ],
)
def test_words_that_spell_a_symbol_are_one_name(instruction: str, name: str, wanted: list[str]) -> None:
    assert texts(instruction, name) == wanted


def test_a_name_ends_where_another_one_follows() -> None:
    assert texts("rename move to go", "move", "move_to")[1] == "move"
    assert texts("rename move to go", "move_to")[1] == "move_to"


def test_an_underscore_that_is_said_is_one() -> None:
    assert texts("make it begin with underscore") == ["make", "it", "begin", "with", "underscore"]
    assert with_signs("underscore abs Underscore delta") == "_abs_delta"
    assert with_signs("abs delta") == "abs delta"
    assert with_signs("underscore") == "underscore"


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("the first argument of add is called count", "qty"),
        ("den zweiten Parameter von add umbenennen", "price"),
        ("the last param of add", "price"),
        ("the third argument of add", None),
        ("the first line of add", None),
    ],
)
def test_a_parameter_may_be_named_by_its_place(instruction: str, wanted: str | None) -> None:
    names = names_of(situation(CODE).repo, PATH)
    at = instruction.index("add")
    function = Span(at, at + 3, "add")
    renamed = Reading("rename", 0.9, {"symbol": (function,)})
    found = with_parameter(renamed, instruction, names)
    assert found.text("symbol") == (wanted or "add")
    assert found.text("function") == ("add" if wanted else "")
    required = with_parameter(Reading("remove_default", 0.9, {"function": (function,)}), instruction, names)
    assert required.text("parameter") == (wanted or "")
    other = Reading("remove_default", 0.9, {"function": (function,), "parameter": (Span(0, 3, "qty"),)})
    assert with_parameter(other, instruction, names) is other


def test_a_spoken_name_is_renamed_to_a_spoken_name() -> None:
    files = {PATH: "def _abs_delta(x):\n    return x\n"}
    now = situation(files)
    roles = repository_roles(now.repo.index, (PATH,))
    found = answer("rename underscore abs underscore delta to underscore absolute", Reader.load(), now, roles)
    assert found.ways[0].plan.texts(now.repo)[PATH] == "def _absolute(x):\n    return x\n"


def test_names_of_a_file_that_is_not_open_are_read_as_names() -> None:
    files = {PATH: "def other():\n    pass\n", "sizes.py": "def natural(format='%d'):\n    return format\n"}
    now = situation(files)
    said = "change the default of format in natural to '%s'"
    assert told_files(said, now.repo.index, PATH) == (PATH, "sizes.py")
    assert told_files("change other", now.repo.index, PATH) == (PATH,)
    roles = repository_roles(now.repo.index, told_files(said, now.repo.index, PATH))
    assert "parameter" in roles.roles("format")


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("把总价改名为合计", "def 计算(数量):\n    合计 = 数量 * 2\n    return 合计\n"),
        ("把计算改名为算总价", "def 算总价(数量):\n    总价 = 数量 * 2\n    return 总价\n"),
        ("rename 数量 to 件数", "def 计算(件数):\n    总价 = 件数 * 2\n    return 总价\n"),
        ("给计算的数量加默认值1", "def 计算(数量=1):\n    总价 = 数量 * 2\n    return 总价\n"),
    ],
)
def test_names_of_ideographs_are_found_without_backticks(instruction: str, wanted: str) -> None:
    files = {PATH: "def 计算(数量):\n    总价 = 数量 * 2\n    return 总价\n"}
    told = situation(files, instruction=instruction)
    symbols = repository_roles(told.repo.index, told_files(instruction, told.repo.index, PATH))
    found = answer(instruction, Reader.load(), told, symbols)
    assert found.ways[0].plan.texts(told.repo) == {PATH: wanted}


def test_a_verb_before_a_keyword_is_no_part_of_a_name() -> None:
    files = {PATH: "def add_import(name):\n    return name\n"}
    now = situation(files)
    roles = repository_roles(now.repo.index, (PATH,))
    found = answer("add import logging", Reader.load(), now, roles)
    assert found.ways[0].plan.texts(now.repo)[PATH].startswith("import logging\n")


def test_digits_that_are_apart_make_another_name() -> None:
    assert key("load_users") == key("loadUsers") == key("load users") == key("load-users")
    assert key("part_1") == key("part1")
    assert key("part_1_12") != key("part_11_2")

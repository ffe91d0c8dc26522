"""Words for a parameter that its name shortens, and names that nothing defines."""

from __future__ import annotations

import pytest
from intent.fixed_reader import NoRoles, Reads
from intent.support import PATH, answered, result, situation, spans

from spark_tui.codemods.plan import Plan
from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.planning.executing import imports_for, plan_of
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

PACK = "def pack(box, wgt=1):\n    return box, wgt\n"
GUARD = {"exception": "ValueError", "message": "bad"}


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("qty", "quantity"),
        ("desc", "description"),
        ("args", "arguments"),
        ("idx", "index"),
        ("db", "database"),
    ],
)
def test_a_name_that_is_the_beginning_of_a_word_and_consonants_of_its_rest_shortens_it(
    name: str, word: str
) -> None:
    assert is_short_for(name, word)


@pytest.mark.parametrize(
    ("name", "word"), [("at", "amount"), ("cut", "count"), ("n", "number"), ("tins", "tin"), ("box", "crate")]
)
def test_no_other_name_does(name: str, word: str) -> None:
    assert not is_short_for(name, word)


def test_a_condition_names_a_parameter_by_the_word_that_it_shortens_with_a_mark() -> None:
    found = answered(
        {PATH: PACK}, ("guard_raise", {"function": "pack", "condition": "the weight is 0", **GUARD})
    )
    assert "if wgt == 0:" in result(found, {PATH: PACK})
    assert "wgt was assumed to be weight" in found.ways[0].marked


def test_of_two_parameters_that_may_shorten_a_word_none_is_taken() -> None:
    code = "def pack(box, wgt=1, wei=2):\n    return box, wgt, wei\n"
    words = {"function": "pack", "condition": "the weight is 0", **GUARD}
    assert answered({PATH: code}, ("guard_raise", words)).kind == "choices"


def read(files: dict[str, str], *orders: tuple[tuple[str, dict[str, str], float], ...]) -> Answer:
    """The answer to orders, each with its readings."""
    text, made = "", []
    for readings in orders:
        begun, out = len(text), []
        for intent, words, sure in readings:
            said, slots = spans(words, len(text))
            out.append(Reading(intent, sure, slots))
            text += said
        made.append(Order(begun, len(text), tuple(out)))
    return answer(text, Reads(*made), situation(files), NoRoles())


def test_an_edit_with_a_name_that_nothing_defines_is_not_the_answer() -> None:
    found = read(
        {PATH: PACK}, (("guard_raise", {"function": "pack", "condition": "height < 1", **GUARD}, 0.95),)
    )
    assert (found.kind, found.ways) == ("cannot", ())
    assert "nothing defines height" in found.reason


def test_the_names_of_a_fragment_are_defined_elsewhere() -> None:
    words = {"function": "pack", "condition": "height < 1", **GUARD}
    assert read({PATH: PACK + "\npack(lid)\n"}, (("guard_raise", words, 0.95),)).kind == "edit"


def test_it_is_none_of_the_choices_either() -> None:
    files = {PATH: "LID = 3\n\n\ndef load():\n    return LID\n"}
    value = ("set_value", {"variable": "LID", "value": "size * 2"}, 0.5)
    found = read(files, (value, ("rename", {"symbol": "LID", "new": "TOP"}, 0.49)))
    assert [way.title for way in found.ways] == ["rename LID → TOP"]


@pytest.mark.parametrize("value", ["limits.size", "make(size)", "MOST_LINES", "Limit"])
def test_what_is_typed_as_code_is_done_and_marked(value: str) -> None:
    files = {PATH: "LID = 3\n\n\ndef load():\n    return LID\n"}
    found = read(files, (("set_value", {"variable": "LID", "value": value}, 0.95),))
    assert found.ways[0].marked
    assert found.ways[0].plan.texts(situation(files).repo)[PATH].startswith(f"LID = {value}\n")


def test_a_name_that_another_order_defines_is_known() -> None:
    guard = ("guard_raise", {"function": "pack", "condition": "wgt > limits.MOST", **GUARD}, 0.95)
    found = read({PATH: PACK}, (guard,), (("add_import", {"module": "limits"}, 0.95),))
    assert found.kind == "edit" and "import limits" in result(found, {PATH: PACK})


@pytest.mark.parametrize(
    ("transform", "line", "imported"),
    [
        ("copy", "return copy(box)", "from copy import copy\n"),
        ("json.dumps", "return json.dumps(box)", "import json\n"),
    ],
)
def test_what_a_new_call_calls_is_imported_and_not_the_module_of_its_name(
    transform: str, line: str, imported: str
) -> None:
    files = {PATH: "def pack(box):\n    return box\n"}
    new = result(answered(files, ("apply_function", {"function": "pack", "transform": transform})), files)
    assert line in new and imported in new


def test_a_module_that_has_no_function_of_its_name_is_not_called() -> None:
    files = {PATH: "def pack(box):\n    return box\n"}
    found = answered(files, ("apply_function", {"function": "pack", "transform": "string"}))
    assert not any("import string" in result(found, files) for _ in found.ways)


@pytest.mark.parametrize(
    ("said", "reason"), [("Bse", "(did you mean Base?)"), ("Widget", "nothing defines Widget")]
)
def test_a_class_gets_no_base_that_nothing_defines(said: str, reason: str) -> None:
    files = {PATH: "class Store:\n    pass\n", "base.py": "class Base:\n    pass\n"}
    found = read(files, (("add_base", {"class": "Store", "base": said}, 0.95),))
    assert found.kind == "cannot" and reason in found.reason


def test_a_base_that_is_shown_as_code_is_written_and_marked() -> None:
    words = {"class": "Store", "base": "`orm.Model`"}
    found = read({PATH: "class Store:\n    pass\n"}, (("add_base", words, 0.95),))
    assert any("nothing defines orm" in mark for mark in found.ways[0].marked)


def test_a_word_that_is_no_name_is_a_text_where_the_file_has_it_as_one() -> None:
    code = 'RATES = {"EUR": 1.0}\n\n\ndef convert(amount, currency):\n    return amount * RATES[currency]\n'
    found = read({PATH: code}, (("set_default", {"parameter": "currency", "default": "EUR"}, 0.95),))
    assert 'currency="EUR"' in result(found, {PATH: code})


def test_typed_code_that_uses_what_goes_with_the_old_code_is_not_written() -> None:
    code = "def delete(field):\n    def change(doc):\n        del doc[field]\n\n    return change\n"
    words = {"function": "delete", "code": "`doc.pop(field, None)`"}
    found = answered({PATH: code}, ("replace_body", words))
    assert not found.ways or "del doc" in result(found, {PATH: code})


@pytest.mark.parametrize(
    ("first", "module"), [("from . import errors", ".errors"), ("import os", "app.errors")]
)
def test_a_name_that_is_missing_is_imported_as_the_file_imports(first: str, module: str) -> None:
    files = {
        "app/__init__.py": "",
        "app/errors.py": "class Gone(Exception):\n    pass\n",
        "app/frames.py": f"{first}\nfrom app import errors\n\n\ndef read(x):\n    raise errors.Gone(x)\n",
    }
    if module.startswith("."):
        files["app/frames.py"] = files["app/frames.py"].replace("from app import errors\n", "")
    repo = Repository(DictTree(files))
    made = plan_of(
        [call("replace_expression", place="in app/frames.py", old="errors.Gone", new="Gone")], repo
    )
    assert isinstance(made, Plan)
    assert imports_for(made, repo) == (call("add_import", path="app/frames.py", module=module, name="Gone"),)

"""Places and texts as people name them: blocks, the imports, exports, messages as they were printed."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

MODULE = '''"""Old words."""

import os
from sys import argv

__all__ = ["load", "save"]


def load(path, kind=None):
    if not path:
        msg = f"cannot load {path!r} from here"
        raise ValueError(msg)
    return os.listdir(path)


def save(path):
    while [path, "]"] != [argv, "]"]:
        return set(argv.copy())


if hasattr(os, "statvfs"):
    statvfs = os.statvfs
'''


def test_the_docstring_of_the_module_is_set() -> None:
    new = changed(MODULE, 'module docstring: "Old words, new."', "set_docstring", text="Old words, new.")
    assert new == MODULE.replace("Old words.", "Old words, new.", 1)


def test_a_file_without_definitions_has_one_docstring() -> None:
    code = '"""Some words."""\n\nimport os\n'
    new = changed(code, "the docstring should be Other words.", "set_docstring", text="Other words.")
    assert new == code.replace("Some", "Other")


def test_a_statement_stands_behind_the_imports() -> None:
    new = changed(
        MODULE, "VERSION = 3 behind the imports", "insert_after", code="VERSION = 3", anchor="imports"
    )
    assert "from sys import argv\nVERSION = 3\n" in new


def test_a_block_is_named_by_a_word_in_it() -> None:
    new = changed(MODULE, "the statvfs block can go", "delete_statement", code="statvfs block")
    assert "statvfs" not in new and new.startswith(MODULE[:200])


def test_the_first_test_of_several_names_its_branch() -> None:
    code = "def f(x):\n    if x == 1:\n        x = 2\n    elif x == 2:\n        x = 3\n    return x\n"
    new = changed(code, "delete if x == 1", "delete_statement", code="if x == 1")
    assert new == code.replace("    if x == 1:\n        x = 2\n    elif", "    if")


def test_brackets_in_texts_do_not_end_what_is_shown() -> None:
    new = changed(
        MODULE, '[path, "]"] to (path, "]")', "replace_expression", old='[path, "]"]', new='(path, "]")'
    )
    assert 'while (path, "]") != [argv, "]"]:' in new


def test_an_expression_is_taken_out_of_the_statement_that_is_shown() -> None:
    text = "`return os.listdir(path)`: put the listdir into `names`"
    code = MODULE.replace("os.listdir(path)", "sorted(os.listdir(path))")
    new = changed(
        code,
        text.replace("os.listdir(path)", "sorted(os.listdir(path))"),
        "extract_variable",
        expression="os.listdir(path)",
        name="names",
    )
    assert "    names = os.listdir(path)\n    return sorted(names)\n" in new


@pytest.mark.parametrize("said", ["exports", "list of exports", "public names"])
def test_the_exports_are_all(said: str) -> None:
    new = changed(MODULE, f"add statvfs to the {said}", "add_item", value="statvfs", variable=said)
    assert '"statvfs"]' in new


@pytest.mark.parametrize("said", ["cannot load '/x' from here", "cannot load ...", "cannot load"])
def test_a_message_is_named_as_it_was_printed(said: str) -> None:
    new = changed(MODULE, f'"{said}" should name the kind', "say_value", message=said, value="kind")
    assert 'msg = f"cannot load {path!r} from here: {kind}"' in new


def test_shown_code_takes_the_place_of_what_is_most_like_it() -> None:
    found = answer_to(MODULE, "no copy, just set(argv)", "replace_expression", new="set(argv)")
    assert "return set(argv)\n" in result(found, {PATH: MODULE})
    assert found.ways[0].marked


def test_a_text_of_another_file_is_changed_with_a_mark() -> None:
    files = {PATH: "x = 1\n", "setup.py": "setup(classifiers=['Status :: 3 - Alpha'])\n"}
    found = answer_to(files, "3 - Alpha should be 4 - Beta", "replace_text", old="3 - Alpha", new="4 - Beta")
    assert result(found, files, "setup.py") == files["setup.py"].replace("3 - Alpha", "4 - Beta")
    assert any("which is not open" in one for one in found.ways[0].marked)
    assert result(found, files) == files[PATH]


def test_a_text_of_several_other_files_is_not_changed() -> None:
    files = {PATH: "x = 1\n", "a.py": "y = 'the text'\n"}
    slots = {"old": "the text", "new": "words"}
    assert answer_to(files, "the text to words", "replace_text", **slots).ways
    files["b.py"] = "z = 'the text'\n"
    assert not answer_to(files, "the text to words", "replace_text", **slots).ways


def test_a_name_that_is_public_is_hidden_where_that_is_asked_for() -> None:
    code = "limit = 3\n\n\ndef f():\n    return limit\n"
    new = changed(code, "limit is public, make it _limit", "make_private", symbol="limit")
    assert new == code.replace("limit", "_limit")
    assert answer_to(code, "make limit public", "make_private", symbol="limit").kind == "nothing"


def test_a_line_break_is_a_value() -> None:
    code = "def f(rows):\n    return '\\n'.join(rows) + ';'\n"
    new = changed(code, "in f '\\n\\n' for '\\n'", "replace_value", function="f", old="'\\n'", new="'\\n\\n'")
    assert new == code.replace("'\\n'", "'\\n\\n'")


def test_an_item_of_bytes_is_named_by_its_text() -> None:
    code = "NAMES = [b'Accept', b'Cache-Control']\n"
    new = changed(code, "Cache-Control out of NAMES", "remove_item", value="Cache-Control", variable="NAMES")
    assert new == "NAMES = [b'Accept']\n"


def test_a_function_gets_the_object_whose_method_it_replaces() -> None:
    code = "def f(day):\n    return day.isoformat()\n"
    new = changed(
        code,
        "f should call str instead of isoformat",
        "replace_call",
        function="f",
        old="isoformat",
        new="str",
    )
    assert new == "def f(day):\n    return str(day)\n"


def test_a_message_that_says_something_else_is_not_called_done() -> None:
    code = "def f(pattern):\n    raise TypeError(f'{pattern!r} is no text')\n"
    found = answer_to(code, "is no text: say its type", "say_value", message="is no text", value="type")
    assert found.kind != "nothing"


def test_a_new_name_that_is_dictated_ends_like_the_old_one() -> None:
    code = "class NoneAlgorithm:\n    pass\n\n\nMADE = NoneAlgorithm()\n"
    said = "rename none algorithm to null algorithm everywhere it is a class"
    new = changed(code, said, "rename", symbol="none algorithm", new="null")
    assert new == code.replace("NoneAlgorithm", "NullAlgorithm")


def test_a_test_that_never_holds_is_marked() -> None:
    code = "def f(status):\n    if 500 <= status < 600:\n        raise ValueError(status)\n"
    found = answer_to(code, "in f 500 for 600", "replace_value", function="f", old="600", new="500")
    assert any("never holds" in one for way in found.ways for one in way.marked)
    found = answer_to(code, "in f 700 for 600", "replace_value", function="f", old="600", new="700")
    assert found.kind == "edit" and not found.ways[0].marked


@pytest.mark.parametrize(
    ("code", "value", "new"),
    [("[bad, 'ad']", "ad", "[bad]"), ("['b', b'a', 'a']", "a", "['b', b'a']"), ("[b'a', 1]", "a", "[1]")],
)
def test_an_item_is_no_other_one_that_begins_with_b(code: str, value: str, new: str) -> None:
    made = changed(
        f"bad = 1\nKINDS = {code}\n",
        f"remove {value} from KINDS",
        "remove_item",
        value=value,
        variable="KINDS",
    )
    assert made == f"bad = 1\nKINDS = {new}\n"


def test_a_module_is_no_object_whose_method_is_replaced() -> None:
    code = "import os\n\n\ndef f():\n    return os.getcwd()\n"
    found = answer_to(code, "in f str for getcwd", "replace_call", function="f", old="getcwd", new="str")
    assert result(found, {PATH: code}) == code.replace("os.getcwd()", "str()")
    assert "str was assumed to get nothing" in found.ways[0].marked


def test_what_is_done_further_inside_is_named_beside_a_finally() -> None:
    code = "def f(s):\n    try:\n        with s:\n            s.close()\n    except OSError:\n        pass\n"
    found = answer_to(code, "always s.close()", "add_finally", code="s.close()")
    assert result(found, {PATH: code}) == code + "    finally:\n        s.close()\n"
    assert "what is done further inside was assumed to stay" in found.ways[0].marked


def test_a_message_of_dots_is_only_that() -> None:
    code = 'def f():\n    print("Loading...")\n    raise ValueError("no")\n'
    new = changed(code, '"..." should be "!"', "replace_message", message="!", old="...")
    assert 'ValueError("no")' in new


def test_what_words_say_without_signs_is_no_code() -> None:
    code = "TITLE = 'x'\n"
    for said in ("quote of the day", "bracket order", "open quote", "grace period"):
        new = changed(code, f"Set TITLE to {said}", "set_value", variable="TITLE", value=said)
        assert new == f"TITLE = '{said}'\n"


def test_what_comes_behind_a_statement_that_leaves_comes_behind_the_check_around_it() -> None:
    code = "def page(size):\n    if size < 1:\n        raise ValueError(size)\n    return size\n"
    text = "put `print(size)` after the ValueError"
    after = changed(code, text, "insert_after", code="print(size)", anchor="ValueError")
    assert after == code.replace("    return", "    print(size)\n    return")

"""Follow-ups to an edit of which only the lines are known, whoever wrote it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from intent.following import answer_behind
from intent.support import PATH, spans
from steps_run import grown, steps_run

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """import json


def load(path):
    with open(path) as handle:
        return json.load(handle)


def save(path, data):
    with open(path, "w") as handle:
        json.dump(data, handle)


def first(rows):
    name = rows[0]
    city = rows[1]
    return name, city


def second(row):
    team = row["team"]
    coach = row["coach"]
    return team, coach
"""
GUARD = (
    "    name = rows[0]\n",
    '    if not rows:\n        raise ValueError("no rows")\n    name = rows[0]\n',
)
RETURN = (GUARD[0], GUARD[1].replace('raise ValueError("no rows")', "return None"))
CHECK = (
    "    with open(path) as",
    '    if not path:\n        raise ValueError("no path")\n    with open(path) as',
)
RAISE = ("    return name, city\n", "    raise KeyError\n")
HOLE = (
    "    with open(path) as handle:",
    '    shown = str(path)\n    print(f"{shown} is read")\n    with open(path) as handle:',
)
UTF8 = ("open(path) as", 'open(path, encoding="utf-8") as')


def amended(edits: list[tuple[str, str]], intent: str, words: dict[str, Any]) -> tuple[Answer, str]:
    """The answer to a follow-up to replaced texts, and the text of the file when it is taken."""
    text, slots = spans(words)
    before, after = Repository(DictTree({PATH: CODE})), CODE
    for old, new in edits:
        assert old in after
        after = after.replace(old, new)
    now = before.with_changes({PATH: after})
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=text)
    found = answer_orders([Order(0, len(text), (Reading(intent, 0.95, slots),))], told)
    if not found.ways:
        return found, ""
    base = before if found.ways[0].from_before else now
    return found, found.ways[0].plan.texts(base).get(PATH) or ""


def after(edits: list[tuple[str, str]], words: str, intent: str = "amend.other_reading") -> str:
    """The text after a message of which no slot was read."""
    before, now = Repository(DictTree({PATH: CODE})), CODE
    for old, new in edits:
        now = now.replace(old, new)
    repo = before.with_changes({PATH: now})
    told = Situation(repo, PATH, earlier=Done("write", {}, ()), before=before, instruction=words)
    readings = (Reading(intent, 0.6), Reading("delete_statement", 0.3))
    found = answer_orders([Order(0, len(words), readings)], told)
    return found.ways[0].plan.texts(before).get(PATH) or "" if found.ways else ""


@pytest.mark.parametrize(
    ("edits", "intent", "words", "says"),
    [
        ([("rows[0]", "rows[5]")], "amend.value", {"value": "7"}, "name = rows[7]"),
        ([("rows[0]", "rows[5]")], "amend.value", {"old": "5", "value": "seven"}, "name = rows[7]"),
        ([("rows[0]", 'rows["/a"]')], "amend.value", {"old": "a", "value": "b"}, 'name = rows["/b"]'),
        ([("def first(", "def head(")], "amend.name", {"new": "top"}, "def top(rows):"),
        ([GUARD], "amend.exception", {"exception": "KeyError"}, 'raise KeyError("no rows")'),
        ([GUARD], "amend.message", {"message": "'empty'"}, 'raise ValueError("empty")'),
        ([GUARD], "amend.return_instead", {}, "    if not rows:\n        return\n    name"),
        ([GUARD], "amend.return_instead", {"result": "None"}, "        return None\n    name"),
        ([GUARD], "amend.raise_instead", {"exception": "KeyError"}, 'raise KeyError("no rows")'),
        ([("(rows):", "(rows: list):")], "amend.type", {"type": "tuple"}, "def first(rows: tuple):"),
        ([("(rows):", "(rows, at):")], "amend.type", {"type": "int"}, "def first(rows, at: int):"),
        ([("(rows):", "(rows, at):")], "amend.value", {"value": "5"}, "def first(rows, at=5):"),
        ([GUARD], "amend.condition", {"condition": "rows is None"}, "    if rows is None:\n        raise"),
        ([GUARD], "amend.raise_instead", {"exception": "`KeyError(rows)`"}, "        raise KeyError(rows)"),
        (
            [RETURN],
            "amend.return_instead",
            {"result": "an empty tuple"},
            "    if not rows:\n        return ()\n",
        ),
        ([RETURN], "amend.raise_instead", {"message": "'none'"}, '        raise ValueError("none")'),
        ([RAISE], "amend.message", {"message": "'none'"}, '    raise KeyError("none")'),
        ([("rows[0]", "rows[1]")], "amend.name", {"old": "rows", "new": "lines"}, "name = lines[1]"),
        ([HOLE], "amend.name", {"new": "where"}, '    where = str(path)\n    print(f"{where} is read")'),
        (
            [("def first(rows)", "def first(rows, n)")],
            "amend.name",
            {"new": ["row", "count"]},
            "rows, row_count)",
        ),
        ([CHECK], "amend.name", {"old": "load", "new": "save"}, "def save(path, data):\n    if not path:"),
        ([("rows[0]", "rows[0 + 1]")], "amend.value", {"old": "1", "value": "2"}, "rows[0 + 2]"),
        ([GUARD], "amend.after", {"anchor": "city = rows[1]"}, "    city = rows[1]\n    if not rows:\n"),
    ],
)
def test_a_part_of_the_lines_is_exchanged(
    edits: list[tuple[str, str]], intent: str, words: dict[str, Any], says: str
) -> None:
    _, text = amended(edits, intent, words)
    assert says in text


def test_a_new_name_is_not_given_to_what_python_names() -> None:
    renamed = [("def first(rows):\n    name", "def first(self, rows):\n    kept = len(self)\n    name")]
    _, text = amended(renamed, "amend.name", {"new": "known"})
    assert "known = len(self)" in text and "def first(self, rows)" in text


def test_a_place_is_left_out_or_the_only_one() -> None:
    both = [UTF8, ('open(path, "w") as', 'open(path, "w", encoding="utf-8") as')]
    _, text = amended(both, "amend.except", {"function": "save"})
    assert "open(path, encoding" in text and 'open(path, "w") as' in text
    _, text = amended(both, "amend.only_here", {"function": "save"})
    assert "open(path) as" in text and 'open(path, "w", encoding' in text


def test_what_stays_keeps_its_imports_and_nothing_is_mixed() -> None:
    both = [
        ("import json\n", "import json\nfrom pathlib import Path\n"),
        ("open(path) as", "Path(path).open() as"),
        ('open(path, "w") as', 'Path(path).open("w") as'),
    ]
    _, text = amended(both, "amend.only_here", {"function": "save"})
    assert "import json\nfrom pathlib import Path\n" in text
    assert "with open(path) as" in text and 'with Path(path).open("w") as' in text


def test_leaving_out_all_of_it_takes_it_back() -> None:
    for words in ({}, {"function": "load"}):
        assert amended([UTF8], "amend.except", words)[0].kind == "undo"
    assert amended([UTF8], "amend.undo", {})[0].kind == "undo"


def test_the_same_argument_is_given_to_the_call_in_a_further_place() -> None:
    _, text = amended([UTF8], "amend.also", {"function": "save"})
    assert 'open(path, encoding="utf-8")' in text and 'open(path, "w", encoding="utf-8")' in text
    _, text = amended([UTF8], "amend.place", {"function": "save"})
    assert "open(path) as" in text and 'open(path, "w", encoding="utf-8")' in text


def test_the_same_is_done_to_a_further_thing() -> None:
    stripped = [('row["team"]', 'row["team"].strip()')]
    _, text = amended(stripped, "amend.also", {"variable": "coach"})
    assert 'team = row["team"].strip()' in text and 'coach = row["coach"].strip()' in text


def test_the_lines_at_the_start_of_a_function_are_put_into_another_one() -> None:
    log = ("    with open(path) as handle", '    print("go")\n    with open(path) as handle')
    _, text = amended([log], "amend.also", {"function": "save"})
    assert text.count('    print("go")\n    with open(path') == 2


def test_lines_about_the_only_parameter_are_about_that_of_the_other_function() -> None:
    _, text = amended([GUARD], "amend.also", {"function": "second"})
    assert 'def second(row):\n    if not row:\n        raise ValueError("no row")' in text


def test_what_was_put_around_a_value_is_put_around_another_one() -> None:
    stripped = [("name = rows[0]", "name = str(rows[0]).strip()")]
    _, text = amended(stripped, "amend.also", {"variable": "coach"})
    assert "name = str(rows[0]).strip()" in text and 'coach = str(row["coach"]).strip()' in text


def test_code_that_a_message_shows_stands_for_code_like_it() -> None:
    assert "        raise KeyError(rows)\n" in after([GUARD], "raise KeyError(rows) for those")
    parsed = [("    return name, city\n", "    return json.loads(name), json.loads(city)\n")]
    assert "return json.dumps(name), json.dumps(city)" in after(parsed, "use json.dumps instead")


def test_what_is_given_may_be_another_thing_than_it_was_read_as() -> None:
    _, text = amended([RETURN], "amend.name", {"new": ["an empty", "list"]})
    assert "        return []\n" in text
    _, text = amended([GUARD], "amend.value", {"value": "KeyError"})
    assert 'raise KeyError("no rows")' in text


def test_a_place_in_which_nothing_was_done_is_another_place() -> None:
    _, text = amended([CHECK], "amend.only_here", {"function": "save"})
    assert "def load(path):\n    with" in text and "def save(path, data):\n    if not path:" in text


def test_one_of_several_is_named_by_its_number() -> None:
    both = [("rows[0]", "rows[0].strip()"), ("rows[1]", "rows[1].strip()")]
    found = after(both, "only the last", "amend.only_here")
    assert "name = rows[0]\n" in found and "city = rows[1].strip()" in found


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("like that one", ""),
        ("2, or 3?", ""),
    ],
)
def test_what_looks_like_talk_is_meant_for_the_only_number_that_was_written(said: str, says: str) -> None:
    found = after([("rows[0]", "rows[5]")], said, "chat")
    assert says in found if says else not found


def test_words_of_the_lines_tell_which_is_meant() -> None:
    both = [("rows[0]", "rows[0].strip()"), ("rows[1]", "rows[1].strip()")]
    _, text = amended(both, "amend.only_here", {"function": "city"})
    assert "name = rows[0]\n" in text and "city = rows[1].strip()" in text


def test_what_the_lines_do_not_have_cannot_be_exchanged() -> None:
    for intent, words in (("amend.exception", {"exception": "KeyError"}), ("amend.raise_instead", {})):
        found, _ = amended([UTF8], intent, words)
        assert found.kind == "write"


def test_finding_the_changed_lines_of_a_large_file_takes_no_square_of_them() -> None:
    few, many = (steps_run(find_changes, functions) for functions in (500, 2_000))
    assert {name: factor for name, factor in grown(few, many, least=100).items() if factor > 8} == {}


def find_changes(functions: int) -> None:
    lines = [f"def load{at}(path):\n    total = 0\n    return total\n" for at in range(functions)]
    before = Repository(DictTree({PATH: "\n".join(lines)}))
    for at in (10, functions - 10):
        lines[at] = lines[at].replace("total = 0", "total = 1")
    told = Situation(before.with_changes({PATH: "\n".join(lines)}), PATH, before=before)
    assert [change.new for change in changes_of_edit(told)] == 2 * [("    total = 1",)]


def test_a_form_feed_ends_no_line() -> None:
    before = Repository(DictTree({PATH: CODE.replace("\n\n\n", "\n\n\x0c\n")}))
    now = {PATH: (before.index.text(PATH) or "").replace("rows[1]", "rows[10]")}
    text, slots = spans({"value": "25"})
    told = Situation(before.with_changes(now), PATH, earlier=Done("write", {}, ()), before=before)
    order = Order(0, len(text), (Reading("amend.value", 0.95, slots),))
    found = answer_orders([order], replace(told, instruction=text))
    assert found.ways[0].plan.texts(before) == {PATH: now[PATH].replace("rows[10]", "rows[25]")}


def test_a_follow_up_to_a_long_edit_takes_no_square_of_its_lines() -> None:
    few, many = (steps_run(follow_long_edit, functions) for functions in (100, 400))
    times = grown(few, many)
    assert len(times) > 50
    # Four times as many functions take four times the steps; each compared with each sixteen times.
    assert {name: factor for name, factor in times.items() if factor > 8} == {}


def follow_long_edit(functions: int) -> None:
    """Two follow-ups to an edit of so many functions."""
    code = "".join(
        f"def f{at}(a, b):\n    if a:\n        raise ValueError(a)\n    return a\n" for at in range(functions)
    )
    before = Repository(DictTree({PATH: code}))
    now = before.with_changes({PATH: code.replace("ValueError(a)", "KeyError(b)")})
    for intent, words in (("amend.return_instead", {"result": "None"}), ("amend.except", {"function": "f3"})):
        text, slots = spans(words)
        told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=text)
        assert answer_orders([Order(0, len(text), (Reading(intent, 0.95, slots),))], told).kind == "edit"


@pytest.mark.parametrize(
    ("message", "intent", "slots", "was", "now"),
    [
        ("or zero", "also_allow", {"condition": "zero"}, "if rows < 0", "if rows <= 0"),
        ("return 0 instead", "amend.return_instead", {"result": "0"}, "return None", "return 0"),
        ("return 0 in tail", "amend.return_instead", {"result": "0"}, "", ""),
    ],
)
def test_what_was_written_in_several_functions_is_changed_in_each_unless_one_is_named(
    message: str, intent: str, slots: dict[str, str], was: str, now: str
) -> None:
    head, tail = (f"def {name}(rows):\n    return rows\n\n\n" for name in ("head", "tail"))
    guard = "(rows):\n    if rows < 0:\n        return None\n"
    guarded = (head + tail).replace("(rows):\n", guard)
    _, text = answer_behind(head + tail, guarded, message, intent, **slots)
    if was:
        assert text == guarded.replace(was, now)
    else:
        assert text.count("return None") == 1 and "return 0" in text.partition("tail")[2]

"""An option is renamed with the attribute that keeps its value, and not taken away for another one."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import argparse

parser = argparse.ArgumentParser()
parser.add_argument("-s", "--since-day", help="only later ones")
parser.add_argument("--limit", dest="most", type=int)
args = parser.parse_args()
print(args.since_day, args.most)
"""


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("--since-day", "--after", [('"--since-day"', '"--after"'), ("args.since_day", "args.after")]),
        ("--limit", "--max", [('"--limit"', '"--max"')]),  # it is kept under a name of its own
    ],
)
def test_an_option_is_renamed_with_its_attribute(old: str, new: str, edits: list[tuple[str, str]]) -> None:
    wanted = CODE
    for was, now in edits:
        wanted = wanted.replace(was, now)
    assert changed(CODE, f"rename the {old} option to {new}", "rename", symbol=old, new=new) == wanted


def test_no_option_is_removed_where_another_one_is_named() -> None:
    text = "rename the --limit option to --max"
    assert not answer_to(CODE, text, "remove_option", name="--limit").ways
    assert answer_to(CODE, "remove the --limit option", "remove_option", name="--limit").ways


def test_the_only_parameter_gets_the_name_where_a_parameter_is_said() -> None:
    code = "def square(n):\n    return n * n\n\n\ndef cube(x, y):\n    return x * y\n"
    slots = {"function": "square", "new": "number"}
    made = changed(code, "in square call the parameter number", "rename", **slots)
    assert made == code.replace("(n)", "(number)").replace("n * n", "number * number")


def test_a_word_that_points_at_something_is_no_new_name() -> None:
    code = "def work(n):\n    return n\n"
    assert not answer_to(code, "rename work to that", "rename", symbol="work", new="that").ways
    quoted = changed(code, "rename work to `that`", "rename", symbol="work", new="that")
    assert quoted.startswith("def that(")

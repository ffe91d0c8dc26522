"""Options of a command line that are described are added as the others are."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

CODE = """import argparse

LIMIT = 3


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--depth", default=2)
    args = ap.parse_args()
    return args
"""


def test_the_option_is_the_one_that_is_shown() -> None:
    new = changed(
        CODE,
        "--depth fails: the option wants type=int",
        "set_argument",
        call="option",
        argument="type",
        value="int",
    )
    assert new == CODE.replace("default=2)", "default=2, type=int)")


@pytest.mark.parametrize("text", ["add a --verbose flag to the cli", "add a --verbose flag"])
def test_an_option_goes_to_the_parser_of_the_repository_whatever_is_open(text: str) -> None:
    files = {PATH: "def load():\n    pass\n", "shop/main.py": CODE}
    answer = answer_to(files, text, "add_option", name="--verbose", type="flag")
    assert answer.ways, answer.reason
    new = answer.ways[0].plan.texts(situation(files).repo)
    assert new["shop/main.py"] == CODE.replace(
        "default=2)\n", 'default=2)\n    ap.add_argument("--verbose", action="store_true")\n'
    )


def test_an_option_of_a_file_that_is_named_goes_nowhere_else() -> None:
    files = {PATH: "def load():\n    pass\n", "shop/main.py": CODE}
    answer = answer_to(
        files, f"add a --verbose flag to {PATH}", "add_option", name="--verbose", type="flag", file=PATH
    )
    assert not answer.ways


COMMANDS = """import argparse


def main():
    p = argparse.ArgumentParser()
    sub = p.add_subparsers()
    a = sub.add_parser("add")
    a.add_argument("text")
    l = sub.add_parser("list")
    l.add_argument("--all", action="store_true")
    return p.parse_args()
"""


@pytest.mark.parametrize(
    ("text", "slots", "after", "line"),
    [
        ("add a --tag option to list", {"name": "--tag"}, '"--all", action="store_true")', 'l, "--tag"'),
        ("--tag for list", {"name": "--tag", "type": "list"}, '"--all", action="store_true")', 'l, "--tag"'),
        ("add a --tag option", {"name": "--tag"}, "ArgumentParser()", 'p, "--tag"'),
        (
            "give list an option --tags of type tuple",
            {"name": "--tags", "type": "tuple"},
            '"--all", action="store_true")',
            'l, "--tags", nargs="*"',
        ),
    ],
)
def test_an_option_goes_to_the_command_that_is_said(
    text: str, slots: dict[str, str], after: str, line: str
) -> None:
    parser, _, given = line.partition(", ")
    new = COMMANDS.replace(after, f"{after}\n    {parser}.add_argument({given})")
    assert changed(COMMANDS, text, "add_option", **slots) == new


def test_a_parser_that_is_called_like_the_verb_is_not_named_by_it() -> None:
    tagged = COMMANDS.replace("a.add", "add.add").replace("a = ", "add = ").replace('"text"', '"--tag"')
    tagged = tagged.replace('"--all", action="store_true"', '"--tag"')
    text = "add choices to --tag: work, home"
    answer = answer_to(tagged, text, "set_option", name="--tag", text="work, home")
    assert answer.kind == "choices" or answer.ways[0].marked
    text = "set choices work, home for --tag of add"
    code = changed(tagged, text, "set_option", name="--tag", text="work, home")
    assert 'add.add_argument("--tag", choices=["work", "home"])' in code


_OUT = 'p.add_argument("--out", type=int, default=3, choices=[1, 3], help="how hard")\n'


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("remove the help of --out", ', help="how hard"'),
        ("entferne die Hilfe von --out", ', help="how hard"'),
        ("no default for --out", " default=3,"),
        ("drop the choices of --out", " choices=[1, 3],"),
    ],
)
def test_a_part_of_an_option_that_is_to_go_goes_alone(text: str, gone: str) -> None:
    assert changed(_OUT, text, "set_option", name="--out") == _OUT.replace(gone, "")
    assert not answer_to(_OUT, text, "remove_option", name="--out").ways


def test_an_option_goes_whole_where_no_part_of_it_is_to_go() -> None:
    assert changed(_OUT, "remove the type option --out", "remove_option", name="--out") == ""
    text = "remove 3 from the choices of --out"
    assert not answer_to(_OUT, text, "set_option", name="--out").ways


def test_a_part_that_an_option_does_not_have_is_told() -> None:
    found = answer_to(_OUT, "remove the metavar of --out", "set_option", name="--out")
    assert found.kind == "nothing" and "--out has no metavar" in found.reason


def test_an_option_without_its_default_is_marked() -> None:
    marks = answer_to(_OUT, "remove the default of --out", "set_option", name="--out").ways[0].marked
    assert "it is None where the option is not given" in map(str, marks)

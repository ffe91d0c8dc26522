"""*Add a case for …* where the function has a `match` statement."""

from __future__ import annotations

from intent.asking import answer_to
from intent.support import PATH, result

CODE = """\
def run(command):
    match command:
        case "go":
            return 1
        case _:
            raise ValueError(command)


def loop(words):
    match words:
        case ["add", one]:
            print(one)
"""


def test_what_is_said_is_done_in_front_of_the_case_for_the_rest() -> None:
    said = 'add a case for "quit" to run: return 3'
    found = answer_to(CODE, said, "add_elif", condition="quit", function="run", code="return 3")
    new = '            return 1\n        case "quit":\n            return 3\n        case _:\n'
    assert new in result(found, {PATH: CODE}) and not found.ways[0].marked


def test_a_case_of_which_nothing_is_said_is_marked() -> None:
    found = answer_to(CODE, 'in run a case for "quit"', "add_elif", condition="quit", function="run")
    assert 'case "quit":\n            pass\n' in result(found, {PATH: CODE}) and found.ways[0].marked


def test_a_case_beside_lists_takes_a_list() -> None:
    found = answer_to(CODE, 'a case for "quit" in loop', "add_elif", condition="quit", function="loop")
    assert '        case ["quit"]:\n            pass\n' in result(found, {PATH: CODE})

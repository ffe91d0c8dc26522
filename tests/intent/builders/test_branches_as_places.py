"""A branch that is named says where an edit is made, or which `else` goes."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result, situation

from spark_tui.codemods.families.statements.placement import DeleteStatements
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.repository import Repository

CODE = """\
import logging

log = logging.getLogger(__name__)


def load(paths):
    for path in paths:
        if path:
            break
        elif not path:
            print("empty")
    else:
        print("none")
    try:
        print("try")
    except KeyError:
        print("key")
    except OSError:
        print("os")
    else:
        print("fine")
    finally:
        print("end")
    return paths
"""


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("in the finally", "end"),
        ("in the second except", "os"),
        ("in the KeyError branch", "key"),
        ("in the except OSError", "os"),
        ("in the elif", "empty"),
        ("in the for loop", "empty"),
        ("in the else of the loop", "none"),
        ("in the else of the try", "fine"),
        ("in the loop's else", "none"),
        ("in the try else", "fine"),
    ],
)
def test_the_call_in_that_branch_is_meant(place: str, text: str) -> None:
    said = f"remove the print {place} in load"
    found = answer_to(CODE, said, "delete_calls", call="print", function="load")
    gone = set(CODE.splitlines()) - set(result(found, {PATH: CODE}).splitlines())
    assert {line.strip() for line in gone} - {"else:", "finally:", "elif not path:"} == {f'print("{text}")'}
    assert not [mark for mark in found.ways[0].marked if mark.startswith("not used")]


def test_what_is_logged_in_a_branch_is_logged_there() -> None:
    made = changed(CODE, 'log "left" in the finally of load', "add_log", message="left", function="load")
    assert made == CODE.replace('print("end")\n', 'print("end")\n        log.info("left")\n')


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("remove the else of the loop in load", '    else:\n        print("none")\n'),
        ("remove the for else in load", '    else:\n        print("none")\n'),
        ("remove the else of the try in load", '    else:\n        print("fine")\n'),
    ],
)
def test_the_else_of_what_is_said_goes_with_its_statements(said: str, gone: str) -> None:
    found = answer_to(CODE, said, "pattern.remove_else", function="load")
    assert result(found, {PATH: CODE}) == CODE.replace(gone, "")
    assert found.ways[0].marked == ("1 statement of the else would go with it",)


def test_statements_that_go_with_an_else_are_told_however_sure_the_reading_is() -> None:
    code = (
        "def group(words):\n    found = {}\n    for word in words:\n        if word in found:\n"
        "            found[word] += 1\n        else:\n            found[word] = 1\n    return found\n"
    )
    said = "remove the else after return in group"
    at = said.index("group")
    slots = {"function": (Span(at, at + 5, "group"),)}
    order = Order(0, len(said), (Reading("pattern.remove_else", 1.0, slots),))
    found = answer_orders([order], situation({PATH: code}, instruction=said))
    assert found.ways[0].marked == ("1 statement of the else would go with it",)


def test_the_else_of_a_loop_may_be_meant_beside_one_of_an_if() -> None:
    code = (
        "def seek(n):\n    for i in n:\n        if i:\n            return i\n"
        "        else:\n            print(i)\n"
        "    else:\n        print(n)\n"
    )
    found = answer_to(code, "remove the else of seek", "pattern.remove_else", function="seek")
    assert found.kind == "choices" and len(found.ways) == 3  # one, the other, both
    found = answer_to(code, "remove the needless else of seek", "pattern.remove_else", function="seek")
    assert found.kind == "edit"


def test_a_loop_without_an_else_stays() -> None:
    code = (
        "def f(x):\n    while x:\n        if x > 3:\n            x -= 1\n        else:\n            x -= 2\n"
    )
    for said in ("while else", "for-else", "while loop's else"):
        found = answer_to(code, f"remove the {said} in f", "delete_statement", code=said, function="f")
        assert not found.ways and "there is no else of a loop" in found.reason


def test_an_else_behind_a_return_leaves_its_statements() -> None:
    code = "def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n"
    made = changed(code, "remove the else of f", "pattern.remove_else", function="f")
    assert made == "def f(x):\n    if x:\n        return 1\n    return 2\n"


@pytest.mark.parametrize("said", ["drop the for/else in seek", "seek: useless else on loop"])
def test_what_stands_in_the_else_of_a_loop_without_break_stays(said: str) -> None:
    code = (
        "def seek(n):\n    if not n:\n        return 0\n    elif n > 1:\n        for i in range(n):\n"
        "            print(i)\n        else:  # all were seen\n            return 1\n    return 2\n"
    )
    made = changed(code, said, "pattern.remove_else", function="seek")
    assert made == code.replace(
        "        else:  # all were seen\n            ", "        # all were seen\n        "
    )


def test_an_elif_that_becomes_an_if_is_marked_where_its_else_stays() -> None:
    code = (
        "def f(x):\n    if x:\n        return 1\n    elif x > 2:\n        x = 3\n    else:\n        x = 4\n"
    )
    found = answer_to(code, "remove the else after return in f", "pattern.remove_else", function="f")
    assert "an elif was assumed to be meant" in found.ways[0].marked[0]
    order = "change the elif after return in f to if"
    found = answer_to(code, order, "pattern.remove_else", function="f")
    assert not any("assumed" in mark for mark in found.ways[0].marked)


def test_an_edit_outside_of_the_branch_is_marked() -> None:
    found = answer_to(
        CODE, "return None in the finally of load", "set_return", result="None", function="load"
    )
    assert "not used: in the finally" in found.ways[0].marked


def test_a_branch_that_is_to_be_made_is_no_place() -> None:
    code = "def f(x):\n    try:\n        x.run()\n    except OSError:\n        pass\n"
    found = answer_to(code, "put x.close() in a finally in f", "add_finally", code="x.close()", function="f")
    assert not [mark for mark in found.ways[0].marked if "finally" in mark]


def test_of_many_branches_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[object] = []
    plan = DeleteStatements.plan

    def counted(self: DeleteStatements, repo: Repository) -> object:
        planned.append(self)
        return plan(self, repo)

    monkeypatch.setattr(DeleteStatements, "plan", counted)
    code = "".join(f"if a{at}:\n    b = 1\nelse:\n    b = 2\n" for at in range(60))
    answer_to(code, "remove the else", "pattern.remove_else")
    assert 0 < len(planned) < 30

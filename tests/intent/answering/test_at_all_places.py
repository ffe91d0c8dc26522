"""The edit at all places that is offered beside those at one place each."""

from __future__ import annotations

from dataclasses import replace

from intent.asking import answer_to
from intent.support import PATH, result

from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.families.statements.placement import DeleteStatements
from spark_tui.codemods.families.values.replacement import ReplaceExpression
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Expression, NewName, Place, Symbol
from spark_tui.intent.answering.at_all_places import with_all_places
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import UNSURE, Way
from spark_tui.intent.planning.titles import title_of
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
import sys
from sys import stdout


def first(file=None):
    log(file or sys.stdout)
    return file


def second(file):
    log(file)
    return file is sys.stdout


def log(file):
    print(file, sys.stdout)
"""
REPO = Repository(DictTree({"log.py": CODE}))


def way(call: Operation, *marked: str) -> Way:
    plan = call.plan(REPO)
    assert isinstance(plan, Plan)
    return Way((call,), plan, 0.3, (UNSURE, *marked), title_of(call, REPO))


def text(found: Way) -> str:
    return found.plan.texts(REPO)["log.py"] or ""


def deleted(line: int) -> Way:
    return way(DeleteStatements(Place("log.py", line, line)))


def replaced(line: int, new: str = "stdout", *marked: str) -> Way:
    return way(
        ReplaceExpression(Place("log.py", line, line), Expression("sys.stdout"), Expression(new)), *marked
    )


def test_one_change_at_two_places_is_offered_at_both_too() -> None:
    *single, both = with_all_places(
        [replaced(12, "stdout", "a doubt"), replaced(6)], Situation(REPO, "log.py")
    )
    assert len(single) == 2
    assert text(both) == CODE.replace("or sys.stdout", "or stdout").replace("is sys.stdout", "is stdout")
    assert both.title == "sys.stdout → stdout in second, line 12; sys.stdout → stdout in first, line 6"
    assert both.marked == ("a doubt",)


def test_lines_that_move_are_those_that_are_meant() -> None:
    *_, both = with_all_places([deleted(6), deleted(11)], Situation(REPO, "log.py"))
    assert text(both) == CODE.replace("    log(file or sys.stdout)\n", "").replace("    log(file)\n", "")


def test_some_of_more_places_are_not_joined() -> None:
    for count, offered in ((2, 3), (3, 2)):
        ways = [replaced(line, "stdout", places_fit(count)) for line in (6, 12)]
        assert len(with_all_places(ways, Situation(REPO, "log.py"))) == offered


def test_places_for_which_a_list_has_no_room_are_joined_too() -> None:
    ways = [replaced(line, "stdout", places_fit(3)) for line in (6, 12)]
    for rest, offered in (([], 2), ([deleted(7)], 2), ([deleted(7), replaced(16)], 3)):
        found = with_all_places(ways, Situation(REPO, "log.py"), iter(rest))
        assert len(found) == offered
    assert text(found[-1]) == CODE.replace("sys.stdout", "stdout")


def test_four_places_of_a_text_are_a_choice_of_three_and_of_all() -> None:
    code = "".join(f"def f{at}(x):\n    raise ValueError('it MUST be {at}')\n\n\n" for at in range(4))
    found = answer_to(code, "errors: MUST -> must", "replace_text", old="MUST", new="must")
    assert found.kind == "choices" and len(found.ways) == 4
    assert result(replace(found, ways=found.ways[-1:]), {PATH: code}) == code.replace("MUST", "must")


def test_other_changes_are_not_joined() -> None:
    ways = [replaced(6), replaced(12, "None"), deleted(11)]
    assert with_all_places(ways, Situation(REPO, "log.py")) == tuple(ways)


def test_what_is_offered_already_is_not_offered_again() -> None:
    known = with_all_places([replaced(6), replaced(12)], Situation(REPO, "log.py"))
    assert with_all_places(known, Situation(REPO, "log.py")) == known


def test_what_would_break_together_is_not_offered() -> None:
    ways = [way(Rename(Symbol(name, "log.py"), NewName("write"))) for name in ("first", "second")]
    assert with_all_places(ways, Situation(REPO, "log.py")) == tuple(ways)


def of_one_reading(*ways: Way) -> list[Way]:
    done = Done("change_raised", {}, ())
    return [replace(one, done=done) for one in ways]


def test_what_one_reading_writes_differently_at_each_place_is_offered_at_all() -> None:
    single = [replaced(6, "stdout", places_fit(2)), replaced(12, "None", places_fit(2))]
    assert with_all_places(single, Situation(REPO, "log.py")) == tuple(single)
    *_, both = with_all_places(of_one_reading(*single), Situation(REPO, "log.py"))
    assert text(both) == CODE.replace("or sys.stdout", "or stdout").replace("is sys.stdout", "is None")


def test_what_one_reading_may_mean_at_one_place_each_is_not_joined() -> None:
    unsure = of_one_reading(replaced(6, "stdout"), replaced(12, "None"))
    assert with_all_places(unsure, Situation(REPO, "log.py")) == tuple(unsure)

"""`spark bench refactor`: what counts as a difference, and who has to be installed."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import pytest

from spark_tui.bench.exact_edits import differences
from spark_tui.bench.exact_edits.reference_tools import Place, limited, load
from spark_tui.bench.refactor import compared_with
from spark_tui.cli.main import main
from spark_tui.codemods.families.functions.signature import AddParameter
from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Expression, NewName, Symbol
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.errors import install_command
from spark_tui.pysource.files.tree import DictTree, DiskTree
from spark_tui.pysource.repository import Repository

FILES = {
    "shop.py": '__all__ = ["total"]\n\n\ndef total(cart):\n    return sum(cart)\n\n\ntotal([1])\n',
    "main.py": "import shop\n\nshop.total([2])\n",
}
PLACES: set[Place] = {("shop.py", 4, 4), ("shop.py", 8, 0), ("main.py", 3, 5)}


def renamed(repo: Repository) -> tuple[Target, Plan]:
    target = find_symbol(repo, Symbol("total"))
    plan = Rename(Symbol("total"), NewName("amount")).plan(repo)
    assert isinstance(target, Target) and isinstance(plan, Plan)
    return target, plan


def compared(named: dict[str, set[Place] | None]) -> list[differences.Difference]:
    repo = Repository(DictTree(FILES))
    target, plan = renamed(repo)
    return differences.compare(target, differences.edited_names(plan, repo), plan, repo, named)


def test_a_string_in_all_is_an_explained_difference() -> None:
    (found,) = compared({"rope": PLACES, "jedi": PLACES})
    assert found.edited and found.place == ("shop.py", 1, 12)
    assert found.reason.startswith("a string")


def test_a_place_that_all_tools_name_and_the_plan_leaves_is_unexplained() -> None:
    missed = ("main.py", 1, 7)
    found = compared({"rope": PLACES | {missed}, "jedi": PLACES | {missed}})
    assert [
        (difference.place, difference.edited, difference.reason)
        for difference in found
        if not difference.reason
    ] == [(missed, False, "")]


def test_a_place_that_only_the_plan_has_is_unexplained() -> None:
    fewer = PLACES - {("shop.py", 8, 0)}
    found = [difference for difference in compared({"rope": fewer, "jedi": fewer}) if not difference.reason]
    assert [(difference.place, difference.edited) for difference in found] == [(("shop.py", 8, 0), True)]


def test_what_one_tool_says_and_another_does_not_proves_nothing() -> None:
    more = PLACES | {("main.py", 1, 7)}
    assert not [
        difference for difference in compared({"rope": more, "jedi": PLACES}) if not difference.reason
    ]


def test_calls_of_a_changed_signature_are_told_from_its_head() -> None:
    repo = Repository(DictTree(FILES))
    plan = AddParameter(Symbol("total"), NewName("tax"), value=Expression("0")).plan(repo)
    assert isinstance(plan, Plan)
    calls = {("shop.py", 8, 0), ("main.py", 3, 5)}
    assert differences.edited_calls(plan, repo) == calls
    assert differences.only_calls(PLACES, repo) == calls


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_tools_find_the_places_that_the_plan_edits(tmp_path) -> None:
    pytest.importorskip("rope")
    pytest.importorskip("jedi")
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    repo = Repository(DiskTree(tmp_path))
    named = {item.name: item.references(("shop.py", 4, 4)) for item in load(tmp_path, 20)}
    assert named == {"rope": PLACES, "jedi": PLACES}
    _, plan = renamed(repo)
    assert differences.edited_names(plan, repo) == PLACES | {("shop.py", 1, 12)}


def test_without_a_tool_the_extra_is_named(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "rope", None)
    assert main(["bench", "refactor", "--quick"]) == 6
    assert install_command("bench") in capsys.readouterr().err


def test_a_tool_that_goes_on_after_every_error_is_stopped() -> None:
    def stubborn() -> None:
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue

    assert limited(0.1, stubborn) is None


def test_names_in_the_comprehension_that_binds_them_are_explained() -> None:
    files = {"a.py": "def f(items):\n    return [x for x in items if x is not None]\n"}
    repo = Repository(DictTree(files))
    target = find_symbol(repo, Symbol("f.x"))
    plan = Rename(Symbol("f.x"), NewName("one")).plan(repo)
    assert isinstance(target, Target) and isinstance(plan, Plan)
    ours = differences.edited_names(plan, repo)
    assert len(ours) == 3
    fewer = ours - {max(ours)}
    (found,) = differences.compare(target, ours, plan, repo, {"rope": fewer, "jedi": fewer})
    assert found.reason.startswith("the condition or element")


def explained(files: dict[str, str], name: str, named: set[Place], *, by_all: bool = True) -> list[str]:
    repo = Repository(DictTree(files))
    target, plan = find_symbol(repo, Symbol(name)), Rename(Symbol(name), NewName("zz")).plan(repo)
    assert isinstance(target, Target) and isinstance(plan, Plan)
    ours = differences.edited_names(plan, repo)
    other = named if by_all else ours
    found = differences.compare(target, ours, plan, repo, {"rope": named, "jedi": other})
    return [item.reason for item in found]


def test_a_name_that_is_declared_nonlocal_is_an_explained_difference() -> None:
    code = "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    return g, x\n"
    found = explained({"a.py": code}, "f.x", {("a.py", 2, 4), ("a.py", 6, 14)})
    assert found == ["a function that declares it `global` or `nonlocal`"] * 2


def test_a_member_of_an_unrelated_class_is_an_explained_difference() -> None:
    code = "class A:\n    def put(self): ...\nclass B:\n    def put(self): ...\nA().put()\nB().put()\n"
    wrong = {("a.py", 2, 8), ("a.py", 5, 4), ("a.py", 6, 4)}
    assert explained({"a.py": code}, "A.put", wrong) == [
        "an object of a class that is not related: the tools compare names"
    ]


def test_a_keyword_of_that_name_is_an_explained_difference() -> None:
    code = "def g(mode): ...\ndef f():\n    mode = 1\n    g(mode=mode)\n"
    wrong = {("a.py", 3, 4), ("a.py", 4, 6), ("a.py", 4, 11)}
    assert explained({"a.py": code}, "f.mode", wrong) == [
        "a keyword that names a parameter or field of what is called"
    ]


def test_an_answer_without_the_place_itself_is_none() -> None:
    @dataclass
    class Tool:
        name: str
        places: set[Place]

        def references(self, place: Place) -> set[Place]:
            return self.places

    repo = Repository(DictTree(FILES))
    target, plan = renamed(repo)
    tools = [Tool("rope", set()), Tool("jedi", PLACES | {("shop.py", 1, 12)})]
    same, silent, found = compared_with(repo, target, plan, ("shop.py", 4, 4), tools, calls=False)
    assert (same, silent, found) == (("jedi",), ("rope",), ())


def test_what_one_tool_alone_names_is_listed_and_not_judged() -> None:
    found = explained(FILES, "total", PLACES | {("main.py", 1, 7)}, by_all=False)
    assert found == ["only rope names it: not judged"]

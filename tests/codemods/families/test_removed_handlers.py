"""A handler that goes takes the comments about it along."""

from __future__ import annotations

import pytest

from spark_tui.codemods.families.statements.placement import DeleteStatements
from spark_tui.codemods.families.statements.unwrapping import UnwrapTry
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Place
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

TRIED = "def f(p):\n    try:\n        a = open(p)\n"
OS = "    # it may be gone\n    except OSError:\n        a = None\n        # no file\n"
VALUE = "    # a bad name\n    except ValueError:\n        # inside\n        a = 1\n"
REST = "    # next\n    return a\n"


def _after(code: str, call: DeleteStatements | UnwrapTry) -> str:
    repo = Repository(DictTree({"m.py": code}))
    plan = call.plan(repo)
    assert isinstance(plan, Plan), plan
    return plan.texts(repo)["m.py"] or ""


@pytest.mark.parametrize(("gone", "first"), [(OS, 5), (VALUE, 9)])
def test_comments_above_and_at_the_end_go(gone: str, first: int) -> None:
    code = TRIED + OS + VALUE + REST
    last = first + gone.count("\n") - 2 - gone.count("no file")
    assert _after(code, DeleteStatements(Place("m.py", first, last))) == code.replace(gone, "")


@pytest.mark.parametrize("end", ["", "    finally:\n        print(p)\n"])
def test_the_only_handler_goes_with_its_last_comment(end: str) -> None:
    code = TRIED + OS.split("\n", 1)[1] + end + REST
    wanted = TRIED + end + REST if end else "def f(p):\n    a = open(p)\n" + REST
    assert _after(code, UnwrapTry(Place("m.py", 2, 2))) == wanted

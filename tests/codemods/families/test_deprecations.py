"""A function warns whoever calls it, behind its docstring, once."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal, texts_after

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''import os


class Shop:
    def load(self, path):
        """Read it."""
        # why
        return os.name, path
'''


def test_the_warning_stands_behind_the_docstring() -> None:
    text = texts_after("deprecate Shop.load", {"m.py": CODE})["m.py"]
    warned = '        warnings.warn("Shop.load is deprecated", DeprecationWarning, stacklevel=2)\n'
    made = CODE.replace("        # why\n", f"{warned}        # why\n")
    assert text == made.replace("import os\n", "import os\nimport warnings\n")


def test_a_message_is_written_as_it_is_said() -> None:
    code = "import warnings\n\n\ndef f():\n    return 1\n"
    text = texts_after("deprecate f 'use \"g\"'", {"m.py": code})["m.py"]
    warned = '    warnings.warn("use \\"g\\"", DeprecationWarning, stacklevel=2)\n'
    assert text == code.replace("    return", f"{warned}    return")


@pytest.mark.parametrize(
    ("call", "module"), [("deprecate f", "warnings"), ("log_duration f printed=yes", "time")]
)
def test_what_is_imported_for_types_only_is_imported_once_more(call: str, module: str) -> None:
    for_types = f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import {module}\n\n\n"
    text = texts_after(call, {"m.py": f"{for_types}def f():\n    return 1\n"})["m.py"] or ""
    assert f"import {module}\n" in text.partition("if TYPE_CHECKING")[0]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f():\n    yield 1\n", "runs later"),
        ("async def f():\n    return 1\n", "runs later"),
        ("def f(warnings):\n    return warnings\n", "means something else"),
        ("warnings = []\n\n\ndef f():\n    return 1\n", "means something else"),
        (
            'import warnings\n\n\ndef f():\n    warnings.warn("old", DeprecationWarning)\n    return 1\n',
            "deprecated already",
        ),
        ('def f():\n    """Doc."""\n', "does nothing"),
    ],
)
def test_what_would_warn_wrongly_is_refused(code: str, reason: str) -> None:
    assert reason in str(refusal("deprecate f", {"m.py": code}))


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        ("def f():\n    return 1\n", False),
        ("def f():\n    return 1\n\n\ndef g():\n    return f()\n", True),
        ("import a\n\n\n@a.cached\ndef f():\n    return 1\n", True),
    ],
)
def test_callers_and_decorators_are_marked(code: str, marked: bool) -> None:
    plan = parse("deprecate f").plan(Repository(DictTree({"m.py": code})))
    assert isinstance(plan, Plan)
    assert plan.unmarked is not marked

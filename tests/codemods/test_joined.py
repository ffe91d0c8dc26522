"""Several operations as one plan."""

from __future__ import annotations

import pytest
from repositories import repository

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import parse
from spark_tui.codemods.rewriting.joined_calls import join

UNTIDY = "import sys\nimport json\nimport os\n\nprint(os.sep, json)\n"


def test_the_second_operation_sees_what_the_first_left() -> None:
    repo = repository({"a.py": UNTIDY})
    found = join([parse("remove_unused_imports a.py"), parse("sort_imports a.py")], repo)
    assert isinstance(found, Plan)
    assert found.texts(repo) == {"a.py": "import json\nimport os\n\nprint(os.sep, json)\n"}


def test_an_operation_with_nothing_to_do_is_passed_over() -> None:
    repo = repository({"a.py": "import os\nimport json\n\nprint(os.sep, json)\n"})
    found = join([parse("remove_unused_imports a.py"), parse("sort_imports a.py")], repo)
    assert isinstance(found, Plan)
    assert found.texts(repo)["a.py"].startswith("import json\nimport os\n")


def test_nothing_to_do_at_all_is_said_with_all_reasons() -> None:
    repo = repository({"a.py": "import os\n\nprint(os.sep)\n"})
    found = join([parse("remove_unused_imports a.py"), parse("sort_imports a.py")], repo)
    assert isinstance(found, Refused)
    assert found.why == "nothing"
    assert found.reason == "no import is unused; the imports are sorted"


def test_what_cannot_be_done_ends_the_plan() -> None:
    found = join([parse("sort_imports b.py"), parse("sort_imports a.py")], repository({"a.py": UNTIDY}))
    assert isinstance(found, Refused)
    assert "b.py" in found.reason


def test_places_that_were_left_count_in_the_lines_of_the_file_as_it_is() -> None:
    text = "import sys\n\n\ndef add(n):\n    return n\n\n\ndef run(thing):\n    return thing.add(1)\n"
    repo = repository({"a.py": text, "b.py": "class Cart:\n    def add(self, n):\n        return n\n"})
    found = join([parse("remove_unused_imports a.py"), parse("rename Cart.add put")], repo)
    assert isinstance(found, Plan)
    assert [(unfollowed.path, unfollowed.line) for unfollowed in found.unfollowed] == [("a.py", 9)]


def together(code: str, calls: list[str]) -> tuple[str | None, str | None]:
    """A file after calls that are joined, and after one came after the other."""
    repo = repository({"m.py": code})
    found, apart = join(list(map(parse, calls)), repo), repo
    for call in map(parse, calls):
        one = call.plan(apart)
        assert isinstance(one, Plan)
        apart = apart.with_changes(one.texts(apart))
    assert isinstance(found, Plan)
    return found.texts(repo)["m.py"], apart.index.text("m.py")


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("set_argument g m.py:{} n 6", "return g(x, n=6) * "),
        # Brackets are found only where each is looked at by itself.
        ("replace_expression m.py:{} g(x) 'x + 1'", "return (x + 1) * "),
    ],
)
def test_many_calls_on_lines_of_their_own_are_as_if_one_came_after_the_other(call: str, shown: str) -> None:
    code = "def g(x, n=1):\n    return x\n\n\n"
    code += "".join(f"def f{at}(x):\n    return g(x) * {at + 2}\n\n\n" for at in range(12))
    first, second = together(code, [call.format(6 + 4 * at) for at in range(12)])
    assert first == second and first is not None and first.count(shown) == 12


def test_many_calls_of_which_one_is_refused_are_refused() -> None:
    repo = repository({"m.py": "def g(x):\n    return x\n\n\n" + "g(1)\n" * 12})
    assert isinstance(join([parse(f"set_argument g m.py:{row} n 6") for row in range(5, 17)], repo), Refused)

"""Several operations as one plan."""

from __future__ import annotations

from repositories import repository

from spark_tui.codemods.joined import join
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import parse

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

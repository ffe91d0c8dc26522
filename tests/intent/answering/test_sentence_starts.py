"""Names that begin a sentence with a capital."""

from __future__ import annotations

import pytest

from spark_tui.evals.cases import EvalCase
from spark_tui.evals.reader_runner import CaseReader
from spark_tui.intent.answering.sentence_starts import with_small_starts
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
RETRIES = 3


class Job:
    pass


def load(path, retries=1):
    job = path.read_text()
    return job


def add(a, b):
    return sum([a, b])


def keep(original):
    return original
"""


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Retries should be 5", "retries should be 5"),
        ("Load returns None. Retries stays", "load returns None. retries stays"),
        ("Original should be a list", "original should be a list"),
        ("Sum() is enough", "sum() is enough"),
        ("Defaultdict(list) for it", "defaultdict(list) for it"),
        ("Job needs a docstring", "Job needs a docstring"),
        ("RETRIES is 5", "RETRIES is 5"),
        ("Add a docstring to load", "Add a docstring to load"),
        ("Sum of the prices", "Sum of the prices"),
        ("The word Load stays", "The word Load stays"),
    ],
)
def test_the_capital_of_a_sentence_is_not_that_of_a_name(said: str, read: str) -> None:
    repo = Repository(DictTree({"store.py": CODE}))
    assert with_small_starts(said, repository_roles(repo.index, ("store.py",))) == read


def test_a_sentence_that_begins_with_a_name_is_done_as_if_it_did_not() -> None:
    case = EvalCase("", "store.py", CODE, "path → source in load")
    large = EvalCase("", "store.py", CODE, "Path → source in load")
    reader = CaseReader()
    small, found = reader.ask(case, CODE), reader.ask(large, CODE)
    assert small.texts == found.texts
    assert small.marked == found.marked

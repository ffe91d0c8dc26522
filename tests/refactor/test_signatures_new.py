# ruff: noqa: E501 - cases read better unbroken
"""New parameters stand where they may, and defaults are written, changed and taken away."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


FETCH = """def fetch(url, retries=3, *args, **kw):
    return requests.get(url, **kw)


def plain(a, b):
    return a + b


def main():
    print(plain(1, 2))
"""


@pytest.mark.parametrize(
    ("instruction", "head"),
    [
        ("add a timeout parameter to fetch, default 30", "def fetch(url, retries=3, *args, timeout=30, **kw):"),
        ("add `verbose=False` to fetch", "def fetch(url, retries=3, *args, verbose=False, **kw):"),
        ("fetch should take verbose: bool = False", "def fetch(url, retries=3, *args, verbose: bool = False, **kw):"),
        ("give fetch an optional encoding argument that defaults to 'utf-8'", "def fetch(url, retries=3, *args, encoding='utf-8', **kw):"),
        ("let fetch accept headers, None if not given", "def fetch(url, retries=3, *args, headers=None, **kw):"),
        ("new keyword-only argument `strict` for fetch with default True", "def fetch(url, retries=3, *args, strict=True, **kw):"),
        ("add session as the first argument of fetch", "def fetch(session, url, retries=3, *args, **kw):"),
        ("fetch needs a session parameter before url", "def fetch(session, url, retries=3, *args, **kw):"),
        ("add a session parameter to fetch after url", "def fetch(url, session, retries=3, *args, **kw):"),
        ("another argument for fetch: `session`", "def fetch(url, session, retries=3, *args, **kw):"),
        ("add a bool parameter verbose to fetch, off by default", "def fetch(url, retries=3, *args, verbose: bool = False, **kw):"),
    ],
)  # fmt: skip
def test_a_parameter_is_added(instruction: str, head: str) -> None:
    wanted = FETCH.replace("def fetch(url, retries=3, *args, **kw):", head)
    assert made(FETCH, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    ("instruction", "changes"),
    [
        ("add a parameter c to plain with default 0", [("plain(a, b)", "plain(a, b, c=0)")]),
        ("add a parameter `scale` to plain and pass 10 in main", [("plain(a, b)", "plain(a, b, scale)"), ("plain(1, 2)", "plain(1, 2, 10)")]),
        ("add timeout=30 to fetch and pass it to requests.get", [("*args, **kw):", "*args, timeout=30, **kw):"), ("get(url, **kw)", "get(url, **kw, timeout=timeout)")]),
    ],
)  # fmt: skip
def test_it_is_given_and_handed_on_where_that_is_said(instruction: str, changes: list[tuple[str, str]]) -> None:
    wanted = FETCH
    for old, new in changes:
        wanted = wanted.replace(old, new)
    assert made(FETCH, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "add logging to fetch",
        "add a check for url to fetch",
        "add a retries parameter to fetch",
        "add a timeout to the requests.get call in fetch",
        "add a parameter c to plain",
        "give fetch a docstring",
    ],
)
def test_what_is_no_new_parameter_is_none(instruction: str) -> None:
    heads = [line for text, _ in made(FETCH, instruction) for line in text.split("\n") if line.startswith("def ")]
    assert set(heads) <= set(FETCH.split("\n"))


@pytest.mark.parametrize(
    ("before", "instruction", "after"),
    [
        ("def f(a: int, b: str) -> None:", "add a limit parameter to f, default 10", "def f(a: int, b: str, limit: int = 10) -> None:"),
        ("def f(\n    a,\n    b=1,\n):", "add c=2 to f", "def f(\n    a,\n    b=1,\n    c=2,\n):"),
        ("def f(\n    a,\n    b=1,  # one\n):", "add c=2 to f", "def f(\n    a,\n    b=1,  # one\n    c=2,\n):"),
        ("def f():", "f should take a path", "def f(path):"),
        ("def f(a, *, b):", "add an optional c argument to f (None by default)", "def f(a, *, b, c=None):"),
        ("def f(a):", "add a keyword-only argument c to f, 1 by default", "def f(a, *, c=1):"),
    ],
)  # fmt: skip
def test_it_is_written_as_its_neighbours_are(before: str, instruction: str, after: str) -> None:
    assert made(f"{before}\n    return None\n", instruction) == [(f"{after}\n    return None\n", 2)]


def test_a_number_that_is_counted_by_is_the_parameter() -> None:
    text = "class Snake:\n    def eat(self):\n        self.grow += 1\n"
    wanted = text.replace("eat(self)", "eat(self, amount=1)").replace("+= 1", "+= amount")
    assert made(text, "let eat take an amount, default 1") == [(wanted, 2)]


def test_another_number_that_the_body_has_may_be_meant() -> None:
    text = "def wait(job):\n    return job.poll(5)\n"
    plain = text.replace("(job):", "(job, pause=5):")
    found = made(text, "let wait take a pause, default 5")
    assert found == [(plain, 1), (plain.replace("poll(5)", "poll(pause)"), 1)]


TASKS = """def add(tasks, text, prio):
    tasks.append((text, prio))


def top(tasks, n: int = 5):
    return tasks[:n]


def main():
    add([], "x", 1)
    add([], "y", 2)
"""


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("prio should default to 1", "text, prio):", "text, prio=1):"),
        ("give prio of add a default of 1", "text, prio):", "text, prio=1):"),
        ("make prio optional in add", "text, prio):", "text, prio=None):"),
        ("default prio to 1 in add", "text, prio):", "text, prio=1):"),
        ("let n default to 3 in top", "n: int = 5", "n: int = 3"),
        ("the default of n in top should be 3", "n: int = 5", "n: int = 3"),
        ("n should default to None in top", "n: int = 5", "n: int | None = None"),
        ("top has 5 as default for n, it should be 3", "n: int = 5", "n: int = 3"),
        ("switch the default of n in top from 5 to 3", "n: int = 5", "n: int = 3"),
        ("n defaults to 5 in top, should be 3", "n: int = 5", "n: int = 3"),
        ("make n required in top", "n: int = 5", "n: int"),
        ("remove the default of n in top", "n: int = 5", "n: int"),
    ],
)
def test_defaults(instruction: str, old: str, new: str) -> None:
    assert made(TASKS, instruction) == [(TASKS.replace(old, new), 2)]


def test_a_default_is_left_out_of_the_calls_that_give_it() -> None:
    wanted = TASKS.replace("text, prio):", "text, prio=1):").replace('"x", 1)', '"x")')
    assert made(TASKS, "prio should default to 1, then drop it from the call in main") == [(wanted, 2)]


@pytest.mark.parametrize("instruction", ["n should default to 5 in top", "text should default to '' in add"])
def test_a_default_that_is_there_or_may_not_be_is_not_written(instruction: str) -> None:
    assert made(TASKS, instruction) == []

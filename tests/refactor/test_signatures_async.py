# ruff: noqa: E501 - cases read better unbroken
"""Functions become coroutines and back; calls are awaited where somebody says that they are not."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


CLIENT = """def load(url):
    return url


async def fetch(url):
    data = load(url)
    page = session.get(url).text
    return data, page


def main():
    print(load("a"))


async def idle():
    return 1
"""


@pytest.mark.parametrize(
    ("instruction", "changes"),
    [
        ("make load async", [("def load", "async def load"), ("data = load", "data = await load")]),
        ("load should be a coroutine", [("def load", "async def load"), ("data = load", "data = await load")]),
        ("asyncify load", [("def load", "async def load"), ("data = load", "data = await load")]),
        ("make load async and await it in the callers", [("def load", "async def load"), ("data = load", "data = await load"), ("def main", "async def main"), ("print(load", "print(await load")]),
        ("main -> async def", [("def main", "async def main")]),
        ("idle doesn't need to be async, make it a normal function", [("async def idle", "def idle")]),
        ("idle should not be async", [("async def idle", "def idle")]),
    ],
)  # fmt: skip
def test_functions_become_coroutines_and_back(instruction: str, changes: list[tuple[str, str]]) -> None:
    wanted = CLIENT
    for old, new in changes:
        wanted = wanted.replace(old, new)
    assert made(CLIENT, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("await session.get in fetch", "session.get(url).text", "(await session.get(url)).text"),
        ("the await is missing in front of load() in fetch", "data = load", "data = await load"),
        ("RuntimeWarning: coroutine 'load' was never awaited", "data = load", "data = await load"),
        ("line 6 needs an await", "data = load", "data = await load"),
    ],
)
def test_calls_are_awaited(instruction: str, old: str, new: str) -> None:
    assert made(CLIENT, instruction) == [(CLIENT.replace(old, new), 2)]


@pytest.mark.parametrize(
    "instruction", ["make fetch async", "main should await load", "make fetch sync", "why is idle async?"]
)
def test_what_is_so_or_may_not_be_is_left(instruction: str) -> None:
    assert all(plain < 2 for _, plain in made(CLIENT, instruction))

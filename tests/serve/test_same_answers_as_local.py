"""The built-in model says behind a server what it says beside the workbench: held, looked over, marked where
unsure."""

import json
import threading
from dataclasses import replace

import pytest
from support.cache_integrity import check_pool
from support.engine_turns import at_once
from support.serving import serving

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.factory import built_in_models
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.cli import main
from spark_tui.events import Doubt, Token
from spark_tui.serve.batching.batch_engine import BatchEngine

TEXT = '''\
import json


def load(path, limit=10):
    """Read rows."""
    with open(path) as file:
        rows = json.load(file)
    print(len(rows))
    found = []
    for row in rows:
        found.append(row["name"])
    return found[:limit]


class Basket:
    def add(self, sku, count=1):
        self.items[sku] = self.items.get(sku, 0) + count

    def total(self):
        if self.items == None:
            return 0
        return sum(self.items.values())
'''
INSTRUCTIONS = (
    "remove the print",
    "change the default of limit to 25",
    "add a docstring to total",
    "use a list comprehension for found",
    "rename sku to code in add",
    "compare with None properly",
    "raise ValueError in add when count is below 1",
    "annotate the parameter path of load as str",
    "explain how the basket works",
    "remove the print and change the default of limit to 25",
    "compare with None properly. Also rename sku to code in add",
)


@pytest.fixture(scope="module")
def local():
    backend = LocalBackend.open(built_in_models()[0])
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def live():
    engine = BatchEngine(LocalBackend.open(built_in_models()[0]))
    with serving(engine) as server:
        yield server
    engine.close()


def asked(instruction):
    return Request(
        instruction, files=(FilePart("shop/basket.py", TEXT, 1, len(TEXT.splitlines())),), max_tokens=400
    )


def said(backend, instruction, **more):
    """Token ids and text, and the marks of hunks."""
    events = list(backend.stream(replace(asked(instruction), **more), threading.Event()))
    tokens = [(event.id, event.text) for event in events if isinstance(event, Token)]
    return tokens, [
        (event.hunk_id, round(event.confidence, 3)) for event in events if isinstance(event, Doubt)
    ]


def test_each_answer_is_the_one_that_is_given_beside_the_workbench(local, live):
    client = RemoteBackend(live.url, key="")
    try:
        for instruction in INSTRUCTIONS:
            assert said(client, instruction) == said(local, instruction), instruction
    finally:
        client.close()


def test_answers_that_are_asked_for_at_once_are_the_same_as_one_after_the_other(local, live):
    alone = [said(local, instruction) for instruction in INSTRUCTIONS]
    clients = [RemoteBackend(live.url, key="") for _ in INSTRUCTIONS]
    for client in clients:
        client.warm_up()
    pairs = list(zip(clients, INSTRUCTIONS, strict=True))
    assert at_once(lambda pair: said(*pair), pairs) == alone
    for client in clients:
        client.close()
    check_pool(live.backend._engine.pool)


@pytest.mark.parametrize(
    ("where", "by_one"),
    [
        ("beside", INSTRUCTIONS[::5]),
        ("far", INSTRUCTIONS[:1]),
        pytest.param("beside", INSTRUCTIONS, marks=pytest.mark.slow),
        pytest.param("far", INSTRUCTIONS[::3], marks=pytest.mark.slow),
    ],
    ids=["beside", "far", "beside, all", "far, more"],
)
def test_what_is_cut_off_by_a_limit_and_gone_on_with_is_the_answer_that_nothing_cut_off(
    local, live, where, by_one
):
    """Some answers are asked for with a token a request."""
    client = local if where == "beside" else RemoteBackend(live.url, key="")
    try:
        for instruction in INSTRUCTIONS:
            whole, doubts = said(client, instruction)
            for most in {1 if instruction in by_one else 5, 5, len(whole) - 1, len(whole)}:
                got, marks = [], []
                for _ in whole:
                    more, marked = said(
                        client, instruction, emitted=tuple(one for one, _ in got), max_tokens=most
                    )
                    assert len(more) <= most
                    if not more:
                        break
                    got, marks = got + more, marks + marked
                assert got == whole, (instruction, most)
                assert [hunk for hunk, _ in marks] == [hunk for hunk, _ in doubts]
    finally:
        if where == "far":
            client.close()


@pytest.mark.parametrize("where", ["beside", "far"])
def test_an_answer_that_came_to_its_end_is_not_gone_on_with(local, live, where):
    client = local if where == "beside" else RemoteBackend(live.url, key="")
    try:
        for instruction in ("remove the print", "rename sku to code in add", "explain how the basket works"):
            whole, _ = said(client, instruction)
            assert said(client, instruction, emitted=tuple(one for one, _ in whole)) == ([], [])
    finally:
        if where == "far":
            client.close()


def test_what_stands_is_continued_also_where_another_answer_would_be_chosen(local, live):
    client = RemoteBackend(live.url, key="")
    try:
        for instruction in (
            "raise ValueError in add when count is below 1",
            "annotate the parameter path of load as str",
        ):
            other, _ = said(local, "add a docstring to total")
            begun = tuple(one for one, _ in other[:3])
            assert begun != tuple(one for one, _ in said(local, instruction)[0][:3])
            more, _ = said(local, instruction, emitted=begun, max_tokens=60)
            assert more
            assert not more[0][1].startswith("***"), "the hunk that was begun goes on"
            assert said(client, instruction, emitted=begun, max_tokens=60)[0] == more
    finally:
        client.close()


def test_the_same_task_through_exec_beside_the_engine_and_through_a_server_gives_the_same_text(
    live, repo, capsys
):
    (repo / "basket.py").write_text(TEXT, encoding="utf-8")
    texts = []
    for where in ([], ["--connect", live.url]):
        main.main(["exec", "remove the print", "-f", "basket.py", "--json", "-C", str(repo), *where])
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
        texts.append("".join(row["text"] for row in rows if row["type"] == "Token"))
    assert texts[0] == texts[1]
    assert "@@" in texts[0]


def test_what_is_known_of_the_whole_file_reaches_the_server(local, live):
    client = RemoteBackend(live.url, key="")
    known = ((16, 16, ("    rate = 2", "")),)
    try:
        tokens, _ = said(client, "add a class attribute rate = 2", known=known)
        assert "".join(text for _, text in tokens) == "*** shop/basket.py\n@@ 16,16\n+    rate = 2\n+\n\n"
        assert tokens == said(local, "add a class attribute rate = 2", known=known)[0]
    finally:
        client.close()

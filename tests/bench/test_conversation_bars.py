"""The bars of `interrupt` and `steer` hold for a small honest model, and fail for each lie."""

import argparse
import json
import time
from pathlib import Path

import pytest
from support.tiny_models import spark_backend

from spark_tui.backends.base import FilePart, Request
from spark_tui.bench import interrupt, steer
from spark_tui.bench.measuring.reporting import Report, finish
from spark_tui.bench.sessions.conversation import answering, changes
from spark_tui.events import PrefillProgress, Token

QUICK = {"quick": True, "json": False, "check": True, "plot": None}


class Wrapped:
    """A backend that lies in one way."""

    takes_splices = True

    def __init__(self, inner, stream):
        self.inner, self.lie = inner, stream

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def stream(self, request, stop):
        yield from self.lie(self.inner, request, stop)


def late(inner, request, stop):
    """Goes on for a while after it was stopped."""
    for event in inner.stream(request, stop):
        if stop.is_set():
            time.sleep(0.2)
        yield event
    if stop.is_set():
        time.sleep(0.2)


def forgetful(inner, request, stop):
    """A resume says something else; slow enough to be stopped while it writes."""
    for event in inner.stream(request, stop):
        time.sleep(0.003)
        yield Token(event.id, "~") if isinstance(event, Token) and request.emitted else event


def rereading(inner, request, stop):
    """Reads everything anew whenever it goes on; slow enough to be stopped while it writes."""
    for event in inner.stream(request, stop):
        time.sleep(0.003)
        again = isinstance(event, PrefillProgress) and (request.emitted or request.steer)
        yield PrefillProgress(event.done, event.total, 0) if again else event


@pytest.fixture
def backend():
    made = spark_backend(seed=5)  # it writes until its limit, whatever is asked
    yield made
    made.close()


def interrupted(backend, monkeypatch):
    monkeypatch.setattr(interrupt, "QUICK_RUNS", 6)
    # The machine that tests run on is shared; the promise in milliseconds is for the bench, the order of it
    # for here.
    monkeypatch.setattr(interrupt, "STOP_P99_MS", 150.0)
    args = argparse.Namespace(model=None, **QUICK)
    return interrupt.measure(args, {interrupt.BUILT_IN: backend})


def by_name(report):
    return {bar.name.split(",")[0]: bar for bar in report.bars}


def test_stops_and_resumes_of_a_correct_model_meet_their_bars(backend, monkeypatch):
    report = interrupted(backend, monkeypatch)
    bars = by_name(report)
    assert bars["resumed = never stopped"].ok
    assert bars["tokens read again by a resume"].ok
    assert report.rows[0]["stops"] > 0


@pytest.mark.parametrize(
    ("lie", "bar"),
    [
        (late, "stop honoured"),
        (forgetful, "resumed = never stopped"),
        (rereading, "tokens read again by a resume"),
    ],
)
def test_each_fault_in_stops_misses_its_bar(backend, monkeypatch, lie, bar):
    report = interrupted(Wrapped(backend, lie), monkeypatch)
    found = [item for item in report.bars if item.name.startswith(bar) and "135M" not in item.name]
    assert found[0].value is not None
    assert not found[0].ok
    args = argparse.Namespace(model=None, **QUICK)
    assert finish(report, args) == 1


def test_the_bar_in_milliseconds_is_for_the_named_model(tmp_path):
    quick = interrupt.InterruptResults(stop_ms=[9.0] * 10, passes_ms=[5.0])
    bar = interrupt.bars({str(tmp_path): quick}, str(tmp_path))[0]
    assert (bar.name, bar.value, bar.ok) == (f"stop honoured, {tmp_path.name}, p99 ms", 9.0, True)
    assert not interrupt.bars({str(tmp_path): quick})[0].ok


def test_the_large_model_is_judged_by_its_own_pass():
    slow = interrupt.InterruptResults(stop_ms=[90.0] * 10, passes_ms=[100.0])
    slower = interrupt.InterruptResults(stop_ms=[190.0] * 10, passes_ms=[100.0])
    (ratio,) = (bar for bar in interrupt.bars({interrupt.LARGE: slow}) if "135M" in bar.name)
    assert (ratio.value, ratio.ok) == (0.9, True)
    (ratio,) = (bar for bar in interrupt.bars({interrupt.LARGE: slower}) if "135M" in bar.name)
    assert not ratio.ok


def steered(backend):
    found = steer.SteerResults()
    steer.steers(backend, found, 3, time.monotonic() + 60)
    return {bar.name: bar for bar in steer.bars(found)}


def test_a_steer_reads_no_more_than_itself_and_changes_no_closed_hunk(backend):
    bars = steered(backend)
    assert bars["steer: tokens read beyond it and its wrapper"].ok
    assert bars["hunks closed before a steer unchanged"].ok
    assert bars["steer: first token, p95 ms"].value > 0


def test_a_steer_that_starts_over_misses_its_bar(backend):
    assert not steered(Wrapped(backend, rereading))["steer: tokens read beyond it and its wrapper"].ok


def test_what_is_typed_is_read_ahead_and_what_is_pasted_is_cold(backend, monkeypatch):
    monkeypatch.setattr(steer, "FILE_LINES", 400)
    monkeypatch.setattr(steer, "PASTED_EVERY", 2)
    monkeypatch.setattr(steer, "WARMED_SECONDS", 30.0)
    found = steer.SteerResults()
    steer.enters(backend, found, 4, time.monotonic() + 60)
    assert found.guessed == [True, True]
    assert (len(found.warm_ms), len(found.cold_ms)) == (2, 2)
    assert {"model": "m", "what": "typed, and read ahead", "runs": 2, "share": 1.0} in steer.rows("m", found)


def test_every_bar_of_steer_can_fail_and_what_was_not_measured_does():
    bad = steer.SteerResults([500.0], [9], [500.0], [500.0], [True, False, False], [True, False])
    bad.given = [True, False]
    assert not any(bar.ok for bar in steer.bars(bad))
    assert not any(bar.ok for bar in steer.bars(steer.SteerResults()))
    good = steer.SteerResults([50.0], [0], [50.0], [200.0], [True, True, False], [True])
    good.given = [True]
    assert all(bar.ok for bar in steer.bars(good))


def test_one_part_alone_is_measured_and_judged(monkeypatch, backend):
    done = []
    for part, name in (("steer", "steers"), ("enter", "enters"), ("hand", "judge")):
        monkeypatch.setattr(steer, name, lambda *a, part=part, **k: done.append(part))
    names = []
    for part in steer.PARTS:
        done.clear()
        args = argparse.Namespace(model=steer.BUILT_IN, cases=str(steer.CASES), only=part, **QUICK)
        monkeypatch.setattr(backend, "close", lambda: None)
        report = steer.measure(args, backend)
        assert set(done) == {part}
        names += [bar.name for bar in report.bars if "closed" not in bar.name]
    assert sorted(names) == sorted(
        bar.name for bar in steer.bars(steer.SteerResults()) if "closed" not in bar.name
    )


CASE = {
    "before": "def f(a):\n    return a\n",
    "after_steer": "def f(a):\n    return a + 2\n",
    "accept": ["def f(a):\n    return 2 + a\n"],
    "check": "assert f(1) == 3\n",
}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("def f(a):\n    return (a + 2)  # more\n", True),
        ("def f(a):\n    return 2 + a\n", True),
        ("def f(a):\n    b = a\n    return b + 2\n", True),
        ("def f(a):\n    return a\n", False),
        ("def f(a)\n", False),
        ("import time\ntime.sleep(60)\n", False),
    ],
)
def test_a_result_is_right_as_a_tree_or_by_its_check(text, right, monkeypatch):
    run = steer.subprocess.run
    monkeypatch.setattr(
        steer.subprocess, "run", lambda *a, **k: run(*a, **{**k, "timeout": 1 if "sleep" in text else 60})
    )
    assert steer.is_right(CASE, text) is right


def test_a_withdrawn_steer_is_right_only_where_the_file_is_as_it_was():
    case = {"before": "x = 1\n", "after_steer": "x = 1\n"}
    assert steer.is_right(case, "x = 1\n")
    assert not steer.is_right(case, "x = 2\n")


def test_the_hand_written_steers_are_read_and_judged(monkeypatch):
    report = Report("steer")
    cases = steer._cases(steer.CASES, report)
    assert len(cases) == 100
    assert steer._cases(Path("nowhere.jsonl"), report) == []
    assert "nowhere.jsonl" in report.notes[0]
    answers = {}
    first = cases[0]

    class Perfect:
        name, window, takes_splices = "perfect", 0, True

        def format_for(self, request):
            return "whole"

        def stream(self, request, stop):
            answers[request.steer] = True
            text = first["after_steer"] if request.steer else first["after_first"]
            yield Token(1, f"{first['path']}\n```\n{text}```\n")

        def count_tokens(self, text):
            return len(text.split())

        def close(self):
            pass

    found = steer.SteerResults()
    steer.judge(first, Perfect(), found, arrived=1.0)
    assert found.closed == 1
    found = steer.SteerResults()
    steer.judge(first, Perfect(), found)
    assert first["steer"] in answers
    assert found.right == [True]
    assert found.kinds == {first["kind"]: [True], "half of the edit had come": [True]}
    assert found.wrong == []
    Perfect.stream = lambda self, request, stop: iter([Token(1, "I will not.")])
    steer.judge(first, Perfect(), found)
    assert (found.right, found.wrong) == ([True, False], [first["id"]])
    assert json.dumps(steer.rows("perfect", found))


def test_after_a_given_edit_the_model_reads_it_and_is_only_asked_what_the_steer_wants():
    found, asked = steer.SteerResults(), []

    class Half:
        """Gets no first edit right, and reads what it is given."""

        name, window, takes_splices = "half", 0, True

        def format_for(self, request):
            return "whole"

        def stream(self, request, stop):
            asked.append((request.steer, request.known))
            number = "3" if request.steer else "2" if request.known else "9"
            yield Token(1, f"a.py\n```\nlimit = {number}\n```\n")

        def count_tokens(self, text):
            return len(text.split())

        def close(self):
            pass

    case = {
        "id": "limit",
        "kind": "value",
        "path": "a.py",
        "before": "limit = 1\n",
        "instruction": "make the limit 2",
        "after_first": "limit = 2\n",
        "steer": "3",
        "after_steer": "limit = 3\n",
    }
    steer.judge(case, Half(), found, arrived=1.0, first=steer.GIVEN)
    assert (found.given, found.given_kinds, found.right, found.wrong) == (
        [True],
        {"value": [True], "all of the edit had come": [True]},
        [],
        [],
    )
    assert asked == [
        ("", ((1, 2, ("limit = 2",)),)),
        ("", ((1, 2, ("limit = 2",)),)),
        ("3", ((1, 2, ("limit = 2",)),)),
    ]
    rows = steer.rows("half", found)
    assert [row["what"] for row in rows] == [
        f"{steer.GIVEN}does what was asked: {kind}" for kind in ("all", "all of the edit had come", "value")
    ]
    own, given = steer.bars(found, ("hand",))[-2:]
    assert own.value is None and given.value == 1.0


def test_a_given_edit_is_told_whole_also_where_a_part_of_the_file_is_shown():
    was, wanted = "a\nb\nc\nd\n", "a\nB\nc\nd\ne\n"
    assert changes(was, wanted) == ((2, 3, ("B",)), (5, 5, ("e",)))
    seen = []

    class Backend:
        def stream(self, request, stop):
            seen.append(request.known)
            return iter(())

    backend = Backend()
    shown = FilePart("x.py", "c\nd\n", 3, 4)
    with answering(backend, ("x.py", was, wanted)):
        for request in (
            Request("do", files=(shown,)),
            Request("do", files=(FilePart("y.py", was, 1, 4),)),
            Request("do", files=(shown,), steer="no"),
        ):
            list(backend.stream(request, None))
    list(backend.stream(Request("do", files=(shown,)), None))
    whole = ((2, 3, ("B",)), (5, 5, ("e",)))
    assert seen == [whole, (), whole, ()]

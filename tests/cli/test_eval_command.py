"""`spark eval`: files that it writes, bars, and arguments that it refuses."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from support.fixed_answer import BEFORE, EDIT, FixedAnswer

from spark_tui.cli.commands import eval as eval_command
from spark_tui.errors import MalformedInput, UsageError


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    eval_command.add_arguments(parser)
    return parser.parse_args(words)


def test_the_command_writes_results_in_the_order_of_the_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tmp_path / "tasks.jsonl"
    lines = [
        {"id": f"t{n}", "path": "m.py", "before": BEFORE, "instruction": "b is 20", "extra": n}
        for n in range(3)
    ]
    tasks.write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr("spark_tui.backends.factory.create_backend", lambda settings: FixedAnswer(EDIT))
    out, drawn = tmp_path / "out.jsonl", tmp_path / "p.svg"
    assert (
        eval_command.run(arguments("tasks", str(tasks), "--output", str(out), "--json", "--plot", str(drawn)))
        == 0
    )
    results = [json.loads(line) for line in out.read_text().splitlines()]
    assert results == [{"id": f"t{n}", "after": "a = 1\nb = 20\nc = 3\n"} for n in range(3)]
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["rows"][0]["cases"] == 3
    assert {"prefill_p50", "generation_p50", "checks_p50"} <= set(report["seconds"])
    assert "<svg" in drawn.read_text()


def test_the_command_runs_checks_and_fails_the_bar_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "e.jsonl"
    tests = ["assert b == 20", "assert b == 21", "import socket; socket.create_connection(('127.0.0.1', 9))"]
    lines = [
        {"task_id": n, "input": BEFORE, "instruction": "b is 20", "test": f"def check():\n    {test}"}
        for n, test in enumerate(tests)
    ]
    copy.write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.setattr(
        "spark_tui.backends.factory.create_backend",
        lambda settings: FixedAnswer(EDIT.replace("m.py", "task.py")),
    )
    details = tmp_path / "d.jsonl"
    assert eval_command.run(arguments("editeval", str(copy), "--details", str(details))) == 0
    found = [json.loads(line) for line in details.read_text().splitlines()]
    assert [line["right"] for line in found] == [True, False, False]
    assert "refused" in found[2]["reason"]
    assert eval_command.run(arguments("builtin", "--limit", "4", "--check")) == 1


def test_a_suite_without_its_path_or_place_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a path"):
        eval_command.run(arguments("editeval"))
    tasks = tmp_path / "t.jsonl"
    tasks.write_text("")
    with pytest.raises(UsageError, match="need --output"):
        eval_command.run(arguments("tasks", str(tasks)))


def test_what_would_be_asked_in_vain_is_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = FixedAnswer(EDIT)
    monkeypatch.setattr("spark_tui.backends.factory.create_backend", lambda settings: backend)
    tasks, out = tmp_path / "t.jsonl", str(tmp_path / "o.jsonl")
    tasks.write_text(
        json.dumps({"id": 1, "before": BEFORE, "instruction": "b is 20", "kind": "value"}) + "\n"
    )
    with pytest.raises(UsageError, match="folder that does not exist"):
        eval_command.run(arguments("tasks", str(tasks), "--output", str(tmp_path / "none" / "o.jsonl")))
    with pytest.raises(UsageError, match="is a folder"):
        eval_command.run(arguments("tasks", str(tasks), "--output", out, "--details", str(tmp_path)))
    with pytest.raises(UsageError, match="is not a folder"):
        eval_command.run(arguments("tasks", str(tasks), "--output", out, "--around", out))
    with pytest.raises(UsageError, match="no bars"):
        eval_command.run(arguments("tasks", str(tasks), "--output", out, "--check"))
    with pytest.raises(UsageError, match="no group or kind") as caught:
        eval_command.run(arguments("tasks", str(tasks), "--output", out, "--only", "valu"))
    assert "tasks, value" in caught.value.hint
    tasks.write_text("\n")
    with pytest.raises(MalformedInput, match="no case"):
        eval_command.run(arguments("tasks", str(tasks), "--output", out))
    tasks.write_bytes(b"\x1f\x8bnot gzip")
    with pytest.raises(MalformedInput, match="gzip"):
        eval_command.run(arguments("tasks", str(tasks), "--output", out))
    for words in (["--limit", "-3"], ["--limit", "0"], ["--seconds", "0"]):
        with pytest.raises(SystemExit):
            arguments("builtin", *words)
    assert not backend.requests and not Path(out).exists()


def test_baselines_know_nothing_and_one_kind_can_be_asked_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("spark_tui.backends.factory.create_backend", lambda settings: FixedAnswer(EDIT))
    assert (
        eval_command.run(arguments("builtin", "--only", "no-edit", "--sample", "5", "--baselines", "--json"))
        == 0
    )
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [(row["group"], row["cases"]) for row in report["rows"]] == [("no-edit", 5)]
    (unchanged,) = report["baselines"]
    assert (unchanged["model"], unchanged["rows"][0]["right"]) == ("unchanged", 1.0)


def test_the_reader_is_evaluated_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    details = tmp_path / "d.jsonl"
    given = arguments("reader", "--sample", "40", "--json", "--check", "--details", str(details))
    code = eval_command.run(given)
    shown = capsys.readouterr()
    report = json.loads(shown.out.splitlines()[-1])
    assert report["bench"] == "eval reader"
    assert 0.3 < report["all"]["intent"] <= report["all"]["first_five"] <= 1
    assert code == (0 if all(bar["ok"] for bar in report["bars"]) else 1)
    assert "intent and slots" in shown.err
    assert len(details.read_text("utf-8").splitlines()) == 40


def test_a_voice_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="nobody"):
        eval_command.run(arguments("reader", "--only", "nobody"))


def test_a_task_asked_again_is_right_where_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks, out = tmp_path / "t.jsonl", tmp_path / "o.jsonl"
    task = {"path": "m.py", "before": BEFORE, "instruction": "b is 20"}
    done = BEFORE.replace("b = 2", "b = 20")
    lines = [{**task, "id": "done", "after": done}, {**task, "id": "unknown"}]
    tasks.write_text("".join(json.dumps(line) + "\n" for line in lines))
    asked = arguments("tasks", str(tasks), "--output", str(out), "--again", "--json")
    rates = []
    for answer in ("*** m.py\n@@ no-edit\n", "*** m.py\n@@ 2,3\n+b = 21\n"):
        monkeypatch.setattr("spark_tui.backends.factory.create_backend", lambda _, it=answer: FixedAnswer(it))
        eval_command.run(asked)
        report = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert report["rows"][0]["cases"] == 1
        rates.append(report["rows"][0]["right"])
    assert rates == [1.0, 0.0]
    with pytest.raises(UsageError, match="cannot be asked --again"):
        eval_command.run(arguments("builtin", "--again"))

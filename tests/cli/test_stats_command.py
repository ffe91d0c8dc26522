"""`spark stats` counts what happened, and says where nothing did."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from spark_tui.cli import main
from spark_tui.cli.commands import stats as stats_command
from spark_tui.config import paths
from spark_tui.errors import ExitCode
from spark_tui.session.storage.session_index import LegTimes

GUARD = "raise ValueError in `add` when the quantity is below 1"


@pytest.fixture
def stats(run):
    return lambda *words: run("stats", *words)[1]


def ask(*words):
    assert (
        main.main(["exec", GUARD, *words, "--replay", str(paths.recordings_dir()), "--pace", "unlimited"])
        == 0
    )


def test_without_turns_there_is_nothing_to_count(stats, repo, capsys):
    assert main.main(["stats", "-C", str(repo)]) == 0
    out, err = capsys.readouterr()
    assert out == "" and "no turns yet" in err
    assert json.loads(stats("--json"))["turns"] == 0


def test_turns_hunks_and_their_plot(stats, tmp_path, capsys):
    ask()
    ask("--apply")
    capsys.readouterr()
    found = json.loads(stats("--json", "--plot", str(tmp_path / "p.svg")))
    assert found["turns"] == 2
    assert found["hunks"] == {"applied": 1, "open": 1}
    assert (found["accept_rate"], found["undo_rate"], found["interrupts"]) == (1.0, 0.0, 0)
    assert found["first_token_seconds"]["turns"] == 2
    assert found["file_tokens_per_second"]["median"] > found["tokens_per_second"]["median"]
    root = ET.fromstring((tmp_path / "p.svg").read_text())
    assert len([item for item in root.iter() if item.tag.endswith("circle")]) == 8
    assert found["apply_seconds"]["turns"] == 1
    assert found["apply_seconds"]["median"] > 0
    assert found["queue_seconds"] is None  # a recording waits for nobody
    assert re.search(r"written hunks undone +0 %", stats())


def leg(**values):
    plain = {"at": 0.0, "prompt_tokens": 10, "reused_tokens": 5, "output_tokens": 11, "drafts_kept": 4}
    return LegTimes(**{**plain, "first_token": 0.1, "generation": 1.0, "reason": "stop", **values})


def test_the_figures_are_those_of_the_legs():
    legs = [leg(first_token=n / 10) for n in range(1, 21)] + [
        leg(reason="interrupted", output_tokens=1, generation=0.0)
    ]
    found = stats_command.summed(legs, {"applied": 3, "undone": 1, "rejected": 4, "open": 9}, 4, 1)
    assert found["first_token_seconds"] == {"median": 1.0, "p95": 1.9, "turns": 21}
    assert found["tokens_per_second"] == {"median": 10.0, "p95": 10.0, "turns": 20}
    assert (found["warm_share"], found["accept_rate"], found["undo_rate"]) == (0.5, 0.5, 0.25)
    assert found["interrupts"] == 1


def test_the_parts_of_the_time_are_shown():
    found = stats_command.summed([leg(queue=0.02, network=0.003, prefill=0.05)], {}, 0, 0, [0.004, 0.006])
    assert found["queue_seconds"] == {"median": 0.02, "p95": 0.02, "turns": 1}
    assert found["apply_seconds"] == {"median": 0.005, "p95": 0.006, "turns": 2}
    table = stats_command._table(found)
    for name, shown in (
        ("waiting for the engine or server", "20 ms"),
        ("network", "3 ms"),
        ("choosing context, prefill", "50 ms"),
    ):
        assert re.search(rf"{name} +{shown}", table)


def test_what_was_not_measured_is_not_zero():
    found = stats_command.summed([leg(prompt_tokens=0, output_tokens=0, first_token=0.0)], {}, 0, 0)
    assert [found[name] for name in ("first_token_seconds", "warm_share", "accept_rate", "undo_rate")] == [
        None
    ] * 4
    assert "not measured" in stats_command.plot([leg(first_token=0.0, output_tokens=0)])


def test_two_models_are_compared_by_what_became_of_their_hunks(run, stats, repo, capsys):
    ask()
    ask("--apply")
    capsys.readouterr()
    found = json.loads(stats("--compare", "replay", "2000-01-01..2100-01-01", "--json"))
    assert found["rates"]["accepted"] == {
        "A": [1, 1],
        "B": [1, 1],
        "difference": found["rates"]["accepted"]["difference"],
    }
    assert found["rates"]["interrupted"]["A"] == [0, 2] and found["rates"]["undone"]["A"] == [0, 1]
    assert found["rates"]["interrupted"]["difference"]["low"] < -0.5  # two turns prove nothing
    shown = stats("--compare", "replay", "replay")
    assert "hunks accepted" in shown and "100 % (1 of 1)" in shown
    code, _, err = run("stats", "--compare", "replay", "nobody")
    assert code == ExitCode.NOTHING and "no turns of 'nobody'" in err
    code, _, err = run("stats", "--compare", "replay", "2026-13-01..2026-14-01")
    assert code == ExitCode.MALFORMED and "not a range of days" in err

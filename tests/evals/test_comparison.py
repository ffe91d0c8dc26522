"""Two candidates on the same cases: intervals that cover, blocks that alternate, and criteria that decide."""

from __future__ import annotations

import json
import math
import random

import pytest
from support.paired_runs import paired, record, write_tasks

from spark_tui.backends.factory import built_in_models
from spark_tui.cli import main
from spark_tui.errors import MalformedInput, UsageError
from spark_tui.evals import comparison
from spark_tui.evals.candidates import Candidate, parse_candidate
from spark_tui.evals.cases import SUITES
from spark_tui.evals.comparison import sampled_records
from spark_tui.evals.intervals import (
    Interval,
    independent_difference,
    median_ratio,
    share_difference,
    sign_test,
)

TASKS = next(suite for suite in SUITES if suite.name == "tasks")


@pytest.mark.parametrize(("better", "differ"), [(0.0, 0.2), (0.1, 0.3), (-0.2, 0.2)])
def test_the_interval_of_a_difference_covers_the_truth_about_as_often_as_it_says(better, differ):
    pick, covered, runs = random.Random(3), 0, 400
    for _ in range(runs):
        won = lost = 0
        for _ in range(60):
            place = pick.random()
            won += place < (differ + better) / 2
            lost += (differ + better) / 2 <= place < differ
        found = share_difference(60, won, lost)
        covered += found.low <= better <= found.high
    assert 0.92 <= covered / runs <= 0.985


def test_no_difference_on_few_cases_is_no_proof():
    few, many = share_difference(10, 0, 0), share_difference(1000, 0, 0)
    assert few.value == 0 and few.low < -0.2 and few.high > 0.2
    assert many.low == pytest.approx(-0.00383, abs=1e-4)
    assert share_difference(5, 5, 0).high == 1.0 and share_difference(5, 0, 5).low == -1.0
    mirrored = share_difference(40, 2, 9)
    assert share_difference(40, 9, 2).low == pytest.approx(-mirrored.high)
    with pytest.raises(ValueError, match="cannot be"):
        share_difference(3, 2, 2)


def test_independent_groups_are_compared_as_newcombe_did():
    found = independent_difference(48, 80, 56, 70)  # his example (a), the other way round
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    assert independent_difference(0, 0, 1, 2) is None


def test_the_sign_test_is_exact():
    assert sign_test(0, 0) == sign_test(1, 0) == 1.0
    assert sign_test(5, 0) == pytest.approx(2 / 2**5)
    assert sign_test(1, 9) == sign_test(9, 1) == pytest.approx(2 * 11 / 2**10)


def test_a_ratio_of_seconds_is_as_uncertain_as_its_blocks_disagree():
    ones = [1.0] * 40
    calm = median_ratio([2.0] * 40, ones, [n // 10 for n in range(40)])
    assert calm == Interval(2.0, 2.0, 2.0)
    torn = median_ratio([1.0] * 20 + [3.0] * 20, ones, [n // 10 for n in range(40)])
    assert torn.low == 1.0 and torn.high == 3.0
    assert median_ratio([0.0], [0.0], [0]) is None


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("http://127.0.0.1:8000/v1", {"model.connect": "http://127.0.0.1:8000/v1"}),
        ("ollama,model.name=small", {"model.connect": "ollama", "model.name": "small"}),
        ("engine.fast=true", {"engine.fast": "true"}),
    ],
)
def test_a_candidate_is_read(text, chosen):
    assert parse_candidate(text) == Candidate(text, chosen)


def test_a_model_a_commit_and_what_is_neither(tmp_path):
    name = built_in_models()[0]
    model = parse_candidate(name)
    assert model.environment["SPARK_MODEL_NAME"] == name
    with model.source() as source:
        assert model.model_bytes(source) > 1e6
    assert parse_candidate("http://h:1/v1").model_bytes(tmp_path) is None
    commit = parse_candidate("commit:HEAD")
    assert len(commit.commit) == 40
    with commit.source() as source:
        assert (source / "spark_tui" / "__main__.py").is_file() and source != model.source
    for wrong in ("nobody", "", "engine.nothing=1", "commit:no-such-revision"):
        with pytest.raises(UsageError):
            parse_candidate(wrong)


def test_answers_are_paired_case_by_case_and_kind_by_kind():
    first = [record(True), record(False), record(False), record(True)]
    second = [record(True, 0.2), record(True, 0.2), record(False, 0.2), record(False, 0.2)]
    runs = paired(first, second, ["a", "a", "b", "b"])
    whole, of_a, of_b = (runs.row("right", kind) for kind in ("all", "a", "b"))
    assert (whole["A"], whole["B"], whole["only A"], whole["only B"]) == (0.5, 0.5, 1, 1)
    assert of_a["difference"]["value"] == 0.5 and of_b["difference"]["value"] == -0.5
    assert runs.row("wrong_unmarked")["B"] == 0.5
    assert runs.seconds_ratio()["value"] == pytest.approx(2.0)
    assert math.isclose(runs.as_dict()["A"]["seconds p50"], 0.1)
    shown = comparison.table(runs)
    assert "right, all" in shown and "right, a " not in shown and "2 kinds of fewer than 5" in shown
    assert "\n1 kind of fewer than 5" in comparison.table(paired(first, second, ["a"] * 4))


def test_the_sample_is_fixed_and_what_is_missing_is_said(tmp_path):
    tasks = write_tasks(tmp_path / "t.jsonl", 9)
    assert sampled_records(TASKS, tasks, 4) == sampled_records(TASKS, tasks, 4)
    assert len(sampled_records(TASKS, tasks, 4)) == 4
    with pytest.raises(UsageError, match="needs a path"):
        sampled_records(TASKS, None, 0)
    tasks.write_text("\n")
    with pytest.raises(MalformedInput, match="no case"):
        sampled_records(TASKS, tasks, 0)


def test_the_command_compares_processes_and_refuses_what_does_not_go_with_it(tmp_path, capsys):
    tasks = write_tasks(tmp_path / "t.jsonl", 2)
    words = ["eval", "tasks", str(tasks), "--compare", built_in_models()[0], "edit.exact=false", "--json"]
    assert main.main(words) == 0
    said = capsys.readouterr()
    found = json.loads(said.out.splitlines()[-1])
    assert found["A"]["peak memory MB"] > 30 and found["A"]["model MB"] > 1
    whole = found["rows"][0]
    assert (whole["kind"], whole["cases"], whole["A"]) == ("all", 2, 1.0)
    assert "95 % interval" in said.err
    assert main.main([*words, "--plot", "p.svg"]) == 2
    assert main.main(["eval", "reader", "--compare", "engine.fast=true", "engine.fast=false"]) == 2


def test_a_candidate_that_cannot_be_evaluated_is_named(tmp_path, capsys):
    tasks = write_tasks(tmp_path / "t.jsonl", 1)
    (tmp_path / "model").mkdir()
    words = ["eval", "tasks", str(tasks), "--compare", f"{tmp_path}/model", built_in_models()[0]]
    assert main.main(words) == 6
    assert f"{tmp_path}/model cannot be evaluated" in capsys.readouterr().err

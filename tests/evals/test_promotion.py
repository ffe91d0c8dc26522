"""Criteria of a file: read strictly, compared with the worse end of the interval, obeyed by the command."""

from __future__ import annotations

import json
import tomllib

import pytest
from support.paired_runs import paired, record, write_tasks

from spark_tui.backends.factory import built_in_models
from spark_tui.cli import main
from spark_tui.config import paths
from spark_tui.errors import ConfigError
from spark_tui.evals import comparison
from spark_tui.evals.promotion import DEFAULT_CRITERIA, judge, read_criteria


def write(tmp_path, text):
    path = tmp_path / "criteria.toml"
    path.write_text(text)
    return path


def verdicts(tmp_path, rows, runs):
    text = "".join("[[criterion]]\n" + row + "\n" for row in rows)
    return judge(read_criteria(write(tmp_path, text)), runs)


def test_the_packaged_criteria_can_be_read_and_are_about_the_packaged_set():
    criteria = read_criteria(DEFAULT_CRITERIA)
    assert criteria.suite.name == "builtin" and criteria.path is None
    assert {criterion.measure for criterion in criteria.criteria} >= {"right", "wrong_unmarked", "seconds"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("criterion = 1", "has no"),
        ("", "has no"),
        ("suite = 'none'\n[[criterion]]\nmeasure='right'\nat_least=1", "no suite"),
        ("simple = 3\n[[criterion]]\nmeasure='right'\nat_least=1", "unknown member 'simple'"),
        ("sample = -1\n[[criterion]]\nmeasure='right'\nat_least=1", "whole number"),
        ("[[criterion]]\nmeasure='beauty'\nat_least=1", "cannot measure 'beauty'"),
        ("[[criterion]]\nmeasure='seconds'\nat_least=1", "'at_least' is no member"),
        ("[[criterion]]\nmeasure='right'", "one bound"),
        ("[[criterion]]\nmeasure='right'\nat_least=1\nat_most=1", "one bound"),
        ("[[criterion]]\nmeasure='right'\nat_least='much'", "one bound"),
        ("[[criterion]\n", "not valid TOML"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, says):
    with pytest.raises(ConfigError, match=says):
        read_criteria(write(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        read_criteria(tmp_path / "none.toml")


def test_few_cases_prove_nothing_and_many_do(tmp_path):
    rows = ["measure = 'right'\ndifference_at_least = -0.05"]
    (few,) = verdicts(tmp_path, rows, paired([record()] * 5, [record()] * 5))
    (many,) = verdicts(tmp_path, rows, paired([record()] * 200, [record()] * 200))
    assert few.value < -0.05 and not few.holds
    assert many.value > -0.05 and many.holds


def test_every_measure_is_the_candidates(tmp_path):
    runs = paired([record(True, 0.1)] * 4, [record(False, 0.3)] * 4)
    runs.second.peak_bytes, runs.first.peak_bytes = 400_000_000, 200_000_000
    found = verdicts(
        tmp_path,
        [
            "measure = 'right'\nat_least = 0.1",
            "measure = 'wrong_unmarked'\nat_most = 0.5",
            "measure = 'seconds'\nat_most = 0.2",
            "measure = 'seconds'\nratio_at_most = 3.1",
            "measure = 'memory_mb'\nat_most = 500",
            "measure = 'memory_mb'\nratio_at_most = 1.5",
            "measure = 'model_mb'\nat_most = 50",
            "measure = 'right'\nkind = 'unheard'\nat_most = 1",
        ],
        runs,
    )
    assert [verdict.holds for verdict in found] == [False, False, False, True, True, False, False, False]
    assert [verdict.value for verdict in found[-2:]] == [None, None]
    assert found[4].as_dict()["value"] == 400.0


@pytest.fixture
def criteria(tmp_path):
    write_tasks(tmp_path / "tasks.jsonl", 1)
    return lambda bound: write(
        tmp_path,
        f"suite = 'tasks'\npath = 'tasks.jsonl'\n[[criterion]]\nname = 'good'\nmeasure = 'right'\n{bound}\n",
    )


@pytest.fixture
def measured_once(monkeypatch):
    """Promotions of one model on the same tasks, which are evaluated for the first of them."""
    evaluate, measured = comparison.compare, []

    def compare(*args, **more):
        if not measured:
            measured.append(evaluate(*args, **more))
        return measured[0]

    monkeypatch.setattr(comparison, "compare", compare)


def test_a_model_becomes_the_default_only_where_all_criteria_hold(criteria, measured_once, capsys):
    name = built_in_models()[0]
    words = ["promote", name, "--json", "--criteria"]
    assert main.main([*words, str(criteria("difference_at_least = -0.1"))]) == 1
    said = capsys.readouterr()
    assert f"{name} is not promoted: good" in said.err
    found = json.loads(said.out.splitlines()[-1])
    assert found["holds"] is found["promoted"] is False
    assert found["criteria"][0]["difference_at_least"] == -0.1
    assert not paths.user_config_file().exists()

    held = str(criteria("at_least = 0.9"))
    assert main.main([*words, held, "--dry-run"]) == 0
    assert not paths.user_config_file().exists()
    assert main.main([*words, held]) == 0
    assert tomllib.loads(paths.user_config_file().read_text()) == {"model": {"name": name}}
    assert "is the default now" in capsys.readouterr().err


def test_a_commit_cannot_be_the_default(capsys):
    assert main.main(["promote", "commit:HEAD"]) == 2
    assert "cannot be the default" in capsys.readouterr().err

"""All benches speak alike: bars that can fail, paired runs, one JSON object, an exit code."""

from __future__ import annotations

import argparse
import json
import os
import re
import xml.etree.ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends.factory import built_in_models
from spark_tui.bars import Bar
from spark_tui.bench.measuring.model_argument import BUILT_IN, named, place_of
from spark_tui.bench.measuring.reporting import (
    Report,
    Spread,
    finish,
    machine,
    paired,
    percentile,
    plot_report,
    ratios,
    table,
)
from spark_tui.cli.commands.bench import BENCHES, module
from spark_tui.cli.main import main
from spark_tui.config import paths
from spark_tui.mesh.svg_plot import BarLine, BarPanel, bars


def flags(**more):
    return argparse.Namespace(**{"json": False, "check": False, "plot": None, **more})


@pytest.mark.parametrize(
    ("value", "better", "ok"),
    [
        (2.0, "higher", True),
        (1.99, "higher", False),
        (2.0, "lower", True),
        (2.01, "lower", False),
        (None, "lower", False),
    ],
)
def test_a_bar_is_met_or_missed(value, better, ok):
    assert Bar("b", value, 2.0, better).ok is ok


def test_check_fails_on_a_missed_bar_and_only_then(capsys):
    good, bad = Bar("speed", 3.0, 2.0), Bar("delay", 3.0, 2.0, "lower")
    assert finish(Report("x", bars=[good]), flags(check=True)) == 0
    assert finish(Report("x", bars=[good, bad]), flags(check=True)) == 1
    assert finish(Report("x", bars=[good, bad]), flags()) == 0
    assert "✗  delay" in capsys.readouterr().out


def test_with_json_stdout_holds_nothing_else_and_the_table_is_on_stderr(capsys):
    report = Report(
        "x",
        rows=[{"contender": "spark", "tok/s": Spread.of([1.0, 2.0, 3.0]).as_dict()}],
        bars=[Bar("b", None, 1)],
    )
    finish(report, flags(json=True))
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert set(said) >= {"bench", "machine", "roofline", "bars", "rows"}
    assert "roofline: fp32 products" in err
    assert said["bars"] == [{"name": "b", "value": None, "target": 1, "better": "higher", "ok": False}]
    assert said["rows"][0]["tok/s"]["median"] == 2.0
    assert {"cpu", "cores", "load", "python", "spark"} <= set(said["machine"])
    assert "2 (1.5–2.5)" in err
    assert "not measured" in err


def test_contenders_run_in_turn_and_alternate_who_is_first():
    order = []

    def contender(name):
        return lambda: order.append(name) or float(len(order))

    found = paired({"a": contender("a"), "b": contender("b")}, rounds=4)
    assert order == ["a", "b", "b", "a", "a", "b", "b", "a"]
    assert found == {"a": [1, 4, 5, 8], "b": [2, 3, 6, 7]}


def test_a_round_that_would_pass_the_deadline_is_not_begun():
    now = [0.0]

    def slow():
        now[0] += 10
        return 1.0

    assert len(paired({"a": slow}, rounds=9, deadline=35, clock=lambda: now[0])["a"]) == 3
    now[0] = 0.0
    assert len(paired({"a": slow}, rounds=9, deadline=-1, clock=lambda: now[0])["a"]) == 1


def test_a_ratio_is_taken_within_each_round():
    assert ratios([10, 1], [5, 0.5]) == Spread(2.0, 2.0, 2.0, 2)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.floats(0, 100))
def test_a_percentile_lies_between_the_least_and_the_most_and_rises(values, percent):
    found = percentile(values, percent)
    assert min(values) - 1e-6 <= found <= max(values) + 1e-6
    assert percentile(values, 100) == max(values)
    assert percentile(values, 0) == min(values)
    assert found <= percentile(values, min(percent + 5, 100)) + 1e-6


def test_kernels_that_the_environment_chooses_are_said(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    assert "OPENBLAS_CORETYPE=Haswell" in table(Report("x"))
    assert machine()["openblas"]["OPENBLAS_CORETYPE"] == "Haswell"


def test_a_table_names_the_machine_and_every_column(monkeypatch):
    for name in [name for name in os.environ if name.startswith("OPENBLAS_")]:
        monkeypatch.delenv(name)
    report = Report("x", rows=[{"a": 1, "b": 2.5}, {"a": 12345.0, "c": "text"}], notes=["skipped: y"])
    text = table(report)
    assert "cores" in text.splitlines()[0]
    assert "12,345" in text
    assert text.splitlines()[2].split() == ["a", "b", "c"]
    assert text.rstrip().endswith("skipped: y")


def test_a_plot_draws_each_row_and_escapes_its_label():
    spread = {"median": 5.0, "q1": 4.0, "q3": 6.0}
    report = Report(
        "x", rows=[{"contender": "a<b", "tok/s": spread}, {"contender": "c", "tok/s": spread}, {"no": 1}]
    )
    svg = plot_report(report)
    assert svg.count("a&lt;b") == 2
    drawn = [node for node in Xml.fromstring(svg).iter() if node.get("height") == "16"]
    assert len({bar.get("fill") for bar in drawn}) == len(drawn) == 2
    Xml.fromstring(bars("none", [BarPanel("s", [])]))
    for top in (0.0, 0.004, 0.9, 7.0, 99.9, 1e6):
        Xml.fromstring(bars("any size", [BarPanel("s", [BarLine("z", top)])]))


def test_every_bench_has_its_flags_and_a_measure():
    parser = argparse.ArgumentParser()
    for bench in BENCHES:
        found = module(bench.name)
        found.add_arguments(argparse.ArgumentParser())
        assert callable(found.measure)
    from spark_tui.cli.commands.bench import add_arguments

    add_arguments(parser)
    args = parser.parse_args(["decode", "--quick", "--json", "--check", "--plot", "x.svg", "--peer", "none"])
    assert (args.bench, args.quick, args.json, args.check, args.plot) == ("decode", True, True, True, "x.svg")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["bench", "decode", "--peer", "nobody"], "unknown peer 'nobody'"),
        (["bench", "decode", "--peer", "none", "--threads", "0"], "--threads cannot be '0'"),
        (["bench", "decode", "--peer", "none", "--threads", "two"], "--threads cannot be 'two'"),
        (["bench", "decode", "--peer", "none", "--model", "7B"], "unknown size '7B'"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(words, says, capsys):
    assert main(words) == 2
    assert says in capsys.readouterr().err


def test_a_model_is_meant_by_its_name_by_a_path_or_by_a_size(tmp_path):
    name = built_in_models()[0]
    assert place_of(BUILT_IN) == place_of(name) == paths.models_dir() / name
    assert place_of(str(tmp_path)) == tmp_path
    assert place_of("12M") is None
    assert named("random:12M") == named("12M") == "12M"


def test_a_picture_of_many_contenders_names_each_in_its_own_colour_and_inside_the_frame():
    names = [f"contender {number}" for number in range(9)]
    drawn = bars("title", [BarPanel("tok/s", [BarLine(name, 1.0, name) for name in names])])
    squares = re.findall(r'<rect x="(\d+)" y="\d+" width="10" height="10" rx="2" fill="(#\w+)"', drawn)
    assert len({colour for _, colour in squares}) == len(names)
    assert all(int(x) + 36 + 7 * len(names[0]) <= 860 for x, _ in squares)

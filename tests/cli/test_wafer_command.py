"""`spark wafer`: what it prints, what it writes, how it exits."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from spark_tui.cli import wafer_report
from spark_tui.cli.commands import wafer as wafer_command
from spark_tui.cli.main import main
from spark_tui.errors import ExitCode, MalformedInput, Misfit, SparkError, UsageError
from spark_tui.mesh import validation
from spark_tui.mesh.facts import published_tables
from spark_tui.mesh.facts.fitted_constants import UNFITTED

DOCS = Path(__file__).resolve().parents[2] / "docs" / "wafer.md"
PREDICT_KEYS = {
    "model",
    "device",
    "grid",
    "phase",
    "cycles_per_layer",
    "tokens_per_second",
    "unfitted_cycles_per_layer",
    "sram_bytes_per_core",
    "stages",
    "fits",
    "wafers",
    "constants",
}


def run_wafer(*words: str) -> int:
    parser = argparse.ArgumentParser()
    wafer_command.add_arguments(parser)
    return wafer_command.run(parser.parse_args(words))


def answer(capsys, *words: str):
    assert run_wafer(*words, "--json") == 0
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_predict_answers_with_every_documented_key(capsys):
    found = answer(
        capsys, "predict", "--model", "llama3-8b", "--device", "wse2", "--grid", "420", "--phase", "decode"
    )
    assert set(found) >= PREDICT_KEYS
    assert found["tokens_per_second"] == pytest.approx(1.1e9 / (found["cycles_per_layer"] * 32))
    assert found["unfitted_cycles_per_layer"] < found["cycles_per_layer"]
    assert (found["grid"], found["fits"], found["stages"], found["wafers"]) == (420, True, 3, 2)


@pytest.mark.parametrize("phase", ["decode", "prefill", "e2e"])
def test_every_key_of_a_prediction_is_documented_for_its_phase(capsys, phase):
    grids = ("--prefill-grid", "660", "--decode-grid", "360") if phase == "e2e" else ("--grid", "600")
    said = DOCS.read_text().split("The keys of `predict --json`:")[1].split(".\n")[0]
    parts = said.split("; for ")
    keys = set(re.findall(r"`(\w+)`", parts[0]))
    for part in parts[1:]:
        if phase in part.split("`")[0]:
            keys |= set(re.findall(r"`(\w+)`", part))
    tokens = ("--context" if phase == "decode" else "--prompt", "2048")
    assert set(answer(capsys, "predict", "--phase", phase, *tokens, *grids)) == keys


def test_predict_prefill_gives_the_first_token(capsys):
    found = answer(capsys, "predict", "--phase", "prefill", "--prompt", "2048", "--grid", "600")
    assert set(found) >= PREDICT_KEYS
    assert found["tokens_per_second"] * found["ttft_s"] == pytest.approx(2048)


def test_predict_end_to_end_takes_two_grids(capsys):
    sizes = ("--prompt", "4096", "--output", "128", "--prefill-grid", "660", "--decode-grid", "360")
    found = answer(capsys, "predict", "--phase", "e2e", *sizes)
    assert set(found) >= PREDICT_KEYS
    assert found["e2e_s"] == pytest.approx(found["ttft_s"] + found["replacement_s"] + found["decode_s"])
    assert found["e2e_tokens_per_second"] == pytest.approx(128 / found["e2e_s"])
    row = published_tables.packaged("e2e").rows[0]
    predicted = validation.evaluate("e2e", row, validation.FITTED)["predicted"]
    assert found["e2e_tokens_per_second"] == pytest.approx(predicted)


@pytest.mark.parametrize("phase", ["decode", "prefill", "e2e"])
def test_predict_says_the_same_in_words(capsys, phase):
    assert run_wafer("predict", "--phase", phase, "--grid", "480") == 0
    text = capsys.readouterr().out
    assert "tok/s" in text
    assert re.search(r"; wafers: [0-9]+\n", text)
    assert "unfitted" in text


@pytest.mark.parametrize(
    ("words", "error", "code"),
    [
        ("predict --model qwen2-72b --grid 60", Misfit, ExitCode.MISFIT),
        ("predict --wafers 1", Misfit, ExitCode.MISFIT),
        ("predict --grid 2000", UsageError, ExitCode.MALFORMED),
        ("predict --model nonsense", UsageError, ExitCode.MALFORMED),
        ("predict --model missing/config.json", MalformedInput, ExitCode.MALFORMED),
        ("predict --device nonsense", UsageError, ExitCode.MALFORMED),
        ("sweep --grids 5,x", UsageError, ExitCode.MALFORMED),
        ("sweep --grids ,", UsageError, ExitCode.MALFORMED),
        ("run --heads 3 --width 96", UsageError, ExitCode.MALFORMED),
        ("run --heads 5", UsageError, ExitCode.MALFORMED),
        ("run --grid 64", UsageError, ExitCode.MALFORMED),
        ("run --tokens 100000", UsageError, ExitCode.MALFORMED),
        ("run --layers 100000", UsageError, ExitCode.MALFORMED),
        ("run --width 1000000", UsageError, ExitCode.MALFORMED),
        ("predict --prompt 100", UsageError, ExitCode.MALFORMED),
        ("predict --phase prefill --context 100", UsageError, ExitCode.MALFORMED),
        ("predict --phase prefill --decode-grid 100", UsageError, ExitCode.MALFORMED),
        ("predict --phase e2e --context 100", UsageError, ExitCode.MALFORMED),
        ("validate --rows missing.csv", MalformedInput, ExitCode.MALFORMED),
    ],
)
def test_bad_input_is_an_error_with_its_code(words, error, code):
    with pytest.raises(error) as caught:
        run_wafer(*words.split())
    assert isinstance(caught.value, SparkError)
    assert caught.value.exit_code == code
    assert caught.value.what


def test_a_device_without_io_is_refused_and_a_missing_file_is_named_once(tmp_path, capsys):
    device = tmp_path / "slow.toml"
    device.write_text('base = "wse3"\nio_bytes_per_second = 0\n')
    assert main(["wafer", "predict", "--device", str(device)]) == 2
    assert "io_bytes_per_second must be more than zero" in capsys.readouterr().err
    assert main(["wafer", "predict", "--model", "missing/config.json"]) == 2
    said = capsys.readouterr().err
    assert (
        said == "spark: missing/config.json: cannot read the model configuration: No such file or directory\n"
    )


@pytest.mark.parametrize(("trace", "code"), [("missing/t.json", 2), ("/dev/full", 7)])
def test_a_trace_that_cannot_be_written_exits_as_any_other_file(trace, code, capsys):
    assert main(["wafer", "run", "--grid", "4", "--tokens", "1", "--trace", trace]) == code
    assert "spark: " in capsys.readouterr().err


@pytest.mark.parametrize("words", ["predict --grid 0", "predict --context x", "predict --phase think", ""])
def test_arguments_of_a_wrong_form_exit_2(words, capsys):
    with pytest.raises(SystemExit) as caught:
        run_wafer(*words.split())
    assert caught.value.code == 2
    assert capsys.readouterr().err


def test_validate_prints_a_table_for_people_and_one_object_for_programs(capsys):
    assert run_wafer("validate", "--json") == 0
    streams = capsys.readouterr()
    report = json.loads(streams.out.splitlines()[-1])
    assert (report["bench"], len(streams.out.splitlines())) == ("wafer validate", 1)
    assert {"predicted", "published", "error_pct", "unfitted_error_pct", "model"} <= set(report["rows"][0])
    assert "unfitted" in streams.err
    assert "each fitted row, predicted from the others" in streams.err
    for name in (
        "mapped_issue_cycles",
        "stage_software_cycles",
        "gemm_step_cycles",
        "gpu_bus_bytes_per_second",
    ):
        assert name in streams.err


def test_quick_leaves_out_the_simulator_against_itself_and_a_plot_shows_every_row(tmp_path, capsys):
    svg = tmp_path / "errors.svg"
    quick = answer(capsys, "validate", "--quick", "--plot", str(svg))
    names = [bar["name"] for bar in quick["bars"]]
    assert "decode leave-one-out mean error, %" in names
    assert not any("events" in name or "numpy" in name or " ms" in name for name in names)
    judged = [row for row in quick["rows"] if row["error_pct"] is not None]
    assert svg.read_text().count('height="16"') == len(judged) > 20


def test_check_passes_on_rows_that_hold_and_fails_on_a_wrong_constant(tmp_path, monkeypatch, capsys):
    path = tmp_path / "rows.csv"
    path.write_text(
        "model,method,device,mesh_P,tpr_tok_per_s,layers\nLLaMA3-8B,WaferLLM,WSE-2,420,2699.9,32\n"
    )
    assert run_wafer("validate", "--rows", str(path), "--check") == ExitCode.DONE
    monkeypatch.setattr(validation, "FITTED", UNFITTED)
    assert run_wafer("validate", "--rows", str(path), "--check") == ExitCode.NOTHING
    assert "MISSED" in capsys.readouterr().out
    assert run_wafer("validate", "--rows", str(path)) == ExitCode.DONE


def test_blank_answers_leave_the_predictions_as_they_are(tmp_path, capsys):
    names = "model,method,device,mesh_P,cores_used,prompt_tokens,tpr_tok_per_s,layers"
    names += ",derived_cycles_per_layer_at_1p1GHz"
    path = tmp_path / "rows.csv"
    path.write_text(f"{names}\nQWen2-72B,WaferLLM,WSE-2,600,360000,4096,3775.5,80,14917230\n")
    full = answer(capsys, "validate", "--rows", str(path))["rows"][0]
    path.write_text(f"{names}\nQWen2-72B,WaferLLM,WSE-2,600,,4096,,,\n")
    blank = answer(capsys, "validate", "--rows", str(path))["rows"][0]
    assert blank["predicted"] == full["predicted"]
    assert blank["unfitted_predicted"] == full["unfitted_predicted"]
    assert blank["error_pct"] is None


def test_compare_sets_gpus_the_wafer_and_both_side_by_side(tmp_path, capsys):
    svg = tmp_path / "compare.svg"
    found = answer(
        capsys, "compare", "--device", "wse3", "--prompt", "2048", "--output", "256", "--plot", str(svg)
    )
    systems = [row["system"] for row in found["rows"]]
    assert [name.split()[0] for name in systems] == ["1", "1", "1", "wse3", "h100"]
    both, wafer, h100 = found["rows"][4], found["rows"][3], found["rows"][1]
    assert both["ttft_s"] == h100["ttft_s"]
    assert both["decode_tokens_per_second"] == wafer["decode_tokens_per_second"]
    keys = 2 * 8 * 128 * 32 * 2 * 2048
    assert both["transfer_s"] == pytest.approx(keys / 150e9)
    parts = both["ttft_s"] + both["transfer_s"] + 256 / both["decode_tokens_per_second"]
    assert both["e2e_s"] == pytest.approx(parts)
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert run_wafer("compare", "--prompt", "64", "--output", "8") == 0
    assert "end to end" in capsys.readouterr().out


def test_a_large_model_is_given_as_many_gpus_as_hold_it(capsys):
    found = answer(capsys, "compare", "--model", "llama3-70b", "--prompt", "512", "--output", "64")
    assert [row["system"] for row in found["rows"][:3]] == ["4 × a100", "4 × h100", "2 × h200"]


def test_sweep_tables_grids_and_says_which_have_no_room(tmp_path, capsys):
    svg = tmp_path / "sweep.svg"
    words = ("sweep", "--model", "llama2-13b", "--grids", "60,360,660", "--plot", str(svg))
    found = answer(capsys, *words)["rows"]
    assert [row["fits"] for row in found] == [False, True, True]
    assert found[1]["decode_tokens_per_second"] > found[2]["decode_tokens_per_second"]
    assert "660" in svg.read_text()
    assert run_wafer(*words) == 0
    assert "missing" in capsys.readouterr().out


def test_a_sweep_over_grids_that_have_no_room_ends_as_one_grid_does(capsys):
    assert run_wafer("sweep", "--grids", "8,9") == ExitCode.MISFIT
    assert capsys.readouterr().out.count("missing") == 2


def test_a_plot_that_cannot_be_written_says_so(tmp_path, capsys):
    assert main(["wafer", "sweep", "--plot", str(tmp_path / "none" / "x.svg")]) == 2
    assert "x.svg: cannot use this file: No such file" in capsys.readouterr().err


def test_run_computes_the_model_and_writes_a_trace(tmp_path, capsys):
    path = tmp_path / "trace.json"
    found = answer(capsys, "run", "--grid", "4", "--tokens", "2", "--trace", str(path))
    assert found["ok"]
    assert found["relative_error"] <= 1e-5
    assert found["spans"] == sum(event["ph"] == "X" for event in json.loads(path.read_text())["traceEvents"])
    assert sum(found["keys_by_row"]) == 10
    assert run_wafer("run", "--grid", "4", "--tokens", "1", "--fp16") == 0
    assert "dense numpy" in capsys.readouterr().out


def test_the_document_prints_the_table_that_validate_prints():
    report = validation.report()
    text = DOCS.read_text(encoding="utf-8")
    for line in [*wafer_report.rows_text(report), *wafer_report.fit_text(report)]:
        assert line.rstrip() in text, line


def test_the_document_names_every_subcommand_and_flag():
    text = DOCS.read_text(encoding="utf-8")
    parser = argparse.ArgumentParser()
    wafer_command.add_arguments(parser)
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for name, command in commands.choices.items():
        assert f"spark wafer {name}" in text
        for action in command._actions:
            for flag in action.option_strings:
                assert flag in ("-h", "--help") or flag in text, flag


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "--plot", "wafer-sweep.svg"),
        ("compare", "--device", "wse3", "--prompt", "2048", "--output", "256", "--plot", "wafer-compare.svg"),
    ],
)
def test_the_documents_plots_are_what_their_commands_draw(tmp_path, words, capsys):
    name = words[-1]
    assert run_wafer(*words[:-1], str(tmp_path / name)) == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS.parent / name).read_text(encoding="utf-8")
    assert f"spark wafer {' '.join(words[:-1])} docs/{name}" in DOCS.read_text(encoding="utf-8")
    capsys.readouterr()


def test_the_command_is_light_until_it_is_used():
    code = "import sys, spark_tui.cli.commands.wafer; sys.exit(bool({'numpy', 'textual'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

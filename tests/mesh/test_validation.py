"""Predictions against published rows: the bars hold, a wrong model misses them, and no answer is read off the
row."""

from __future__ import annotations

from dataclasses import asdict, fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spark_tui.bars import at_most
from spark_tui.errors import MalformedInput, SparkError
from spark_tui.mesh import calibration, validation
from spark_tui.mesh.estimates import cost, gpu, row_predictors
from spark_tui.mesh.facts import published_tables
from spark_tui.mesh.facts.fitted_constants import FITTED, MEANINGS, UNFITTED, UNITS, Constants

ANSWERS = {
    "tpr_tok_per_s",
    "derived_cycles_per_layer_at_1p1GHz",
    "e2e_tpr_tok_per_s",
    "tok_per_s",
    "tok_per_s_user",
    "ttft_s",
    "ttft_mean_ms",
    "itl_mean_ms",
    "a100_ms",
    "wse2_ms",
    "derived_wse2_cycles_at_1p1GHz",
    "energy_ratio_a100_over_wse2",
    "implied_power_ratio_wse2_per_a100",
    "concat_tokens",
    "shift_tokens",
    "ratio",
    "identity",
    "repo_group_num",
    "repo_dim_padded",
    "repo_ffn_padded",
    "repo_seq_padded",
    "group_num",
    "dim",
    "seq_len",
    "ffn_dim",
    "cores_used",
    "layers",
    "measurement_note",
    "note",
    "source",
}


KINDS = ("decode", "prefill", "e2e", "gpu", "gpu served", "gpu batch 1")


def bars_of(constants: Constants, kinds=KINDS) -> dict[str, bool]:
    rows = [
        validation.evaluate(kind, row, constants)
        for kind in kinds
        for row in published_tables.packaged(kind).rows
    ]
    return {bar.name: bar.ok for bar in validation.error_bars(rows)}


def test_every_bar_holds_on_the_packaged_rows():
    assert bars_of(FITTED) == {
        "decode mean error, %": True,
        "decode worst error, %": True,
        "prefill_e2e mean error, %": True,
        "prefill_e2e worst error, %": True,
        "gpu mean error, %": True,
    }


@pytest.mark.parametrize(
    ("constant", "factor", "missed"),
    [
        ("stage_software_cycles", 2.5, {"decode mean error, %", "decode worst error, %"}),
        ("gemm_step_cycles", 8.0, {"prefill_e2e mean error, %", "prefill_e2e worst error, %"}),
        ("mapped_issue_cycles", 4.0, {"decode mean error, %", "prefill_e2e mean error, %"}),
        ("gpu_bus_bytes_per_second", 0.2, {"gpu mean error, %"}),
    ],
)
def test_a_wrong_constant_misses_its_bars(constant, factor, missed):
    wrong = replace(FITTED, **{constant: factor * getattr(FITTED, constant)})
    found = bars_of(wrong)
    assert not any(found[name] for name in missed)


def test_unfitted_the_wafer_bars_are_missed_which_is_why_there_is_a_fit():
    found = bars_of(UNFITTED)
    assert not found["decode mean error, %"]
    assert not found["prefill_e2e mean error, %"]


def test_leaving_each_row_out_keeps_the_bars():
    assert all(bar.ok for bar in validation.leave_one_out_bars())
    left_out = [(kind, row) for kind, row, _ in calibration.leave_one_out()]
    fitted = [
        (kind, row) for kind in calibration.FITTED_KINDS for row in published_tables.packaged(kind).rows
    ]
    assert left_out == [
        (kind, row) for kind, row in fitted if calibration.use_of(kind, row) == calibration.FITTED_BY
    ]


def test_a_leave_one_out_bar_is_missed_when_the_other_rows_say_nothing(monkeypatch):
    monkeypatch.setattr(calibration, "leave_one_out", lambda: (("decode", {}, -30.0), ("prefill", {}, 1.0)))
    assert [bar.ok for bar in validation.leave_one_out_bars()] == [False, True]


def test_the_constants_are_those_that_the_fit_finds():
    assert calibration.rounded(calibration.fit()) == FITTED


def test_there_are_at_most_four_constants_each_named_with_a_unit():
    names = [field.name for field in fields(Constants)]
    assert len(names) <= validation.MOST_CONSTANTS == 4
    assert set(names) == set(UNITS) == set(MEANINGS)
    assert not at_most("fitted constants", 5.0, float(validation.MOST_CONSTANTS)).ok


@pytest.mark.parametrize("kind", list(published_tables.FILES))
def test_no_prediction_changes_when_published_and_derived_columns_are_blank(kind):
    for row in published_tables.packaged(kind).rows:
        blank = {key: ("" if key in ANSWERS else value) for key, value in row.items()}
        wild = {key: ("999999" if key in ANSWERS else value) for key, value in row.items()}
        wanted = row_predictors.try_predict(kind, row, FITTED)
        assert wanted[0] is not None
        assert row_predictors.try_predict(kind, blank, FITTED) == wanted
        assert row_predictors.try_predict(kind, wild, FITTED) == wanted


@pytest.mark.parametrize("kind", list(published_tables.FILES))
def test_a_table_is_recognised_by_its_header(kind):
    assert published_tables.packaged(kind).kind == kind


@pytest.mark.parametrize("kind", list(published_tables.FACTS))
def test_tables_of_facts_are_recognised_and_have_nothing_to_predict(kind):
    table = published_tables.packaged(kind)
    assert table.kind == kind
    for row in validation.report([table])["rows"]:
        assert (row["predicted"], row["error_pct"]) == (None, None)
        assert "fact" in row["why_not"]


def test_a_measured_rate_among_the_gpu_facts_is_predicted():
    row = {
        "row_type": "measured",
        "gpu_or_system": "2x H100",
        "model": "Llama-3.1-70B decode",
        "unit": "tok/s",
    }
    wanted = 1 / gpu.decode_seconds(
        row_predictors.model_shapes.PRESETS["llama3-70b"], gpu.GPUS["h100"], 2, 4096, 450e9
    )
    assert row_predictors.predict("gpu facts", row, FITTED) == pytest.approx(wanted)
    assert row_predictors.predict("gpu facts", row | {"unit": "ms/token"}, FITTED) == pytest.approx(
        1e3 / wanted
    )


def test_a_table_of_a_persons_own_is_predicted_although_its_answers_are_blank(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "model,method,device,mesh_P,cores_used,tpr_tok_per_s,layers,derived_cycles_per_layer_at_1p1GHz\n"
        "LLaMA2-13B,WaferLLM,WSE-2,540,,,40,\n"
        "LLaMA3-8B,WaferLLM,WSE-3,420,,,32,\n"
        "LLaMA3-8B,SomethingElse,WSE-2,420,,,32,\n"
        "NoSuchModel,WaferLLM,WSE-2,420,,,32,\n"
    )
    report = validation.report([published_tables.read(path)])
    first, second, other, unknown = report["rows"]
    assert first["predicted"] > 1000
    assert first["published"] is first["error_pct"] is first["unfitted_error_pct"] is None
    assert first["mesh_P"] == "540"
    assert second["predicted"] != first["predicted"]
    assert (other["predicted"], unknown["predicted"]) == (None, None)
    assert "not modelled" in other["why_not"]
    assert "NoSuchModel" in unknown["why_not"]
    assert {"bench", "machine", "bars", "rows"} <= set(report)
    assert all(set(bar) == {"name", "value", "target", "better", "ok"} for bar in report["bars"])


def test_gpu_rows_among_end_to_end_ones_belong_to_the_comparator():
    row = {
        "model": "LLaMA3-8B",
        "device": "",
        "system": "A100 SGLang",
        "num_gpus": "8",
        "input_tokens": "2048",
        "output_tokens": "2048",
        "prefill_mesh_P": "",
        "decode_mesh_P": "",
        "e2e_tpr_tok_per_s": "",
    }
    found = validation.evaluate("e2e", row, FITTED)
    assert found["group"] == "gpu"
    seconds = gpu.end_to_end_seconds(
        row_predictors.model_shapes.find("llama3-8b"),
        gpu.GPUS["a100"],
        8,
        2048,
        2048,
        FITTED.gpu_bus_bytes_per_second,
    )
    assert found["predicted"] == pytest.approx(2048 / seconds)


def test_an_end_to_end_row_is_the_sum_of_its_parts():
    shape, wafer = row_predictors.model_shapes.find("llama3-8b"), row_predictors.wafer.WSE2
    whole = row_predictors.end_to_end_seconds(shape, wafer, 4096, 128, 660, 360, FITTED)
    parts = (
        cost.prefill_cycles(shape, 660, 4096, wafer, FITTED) / wafer.clock_hz
        + cost.replacement_seconds(shape, 4096, 360, wafer)
        + cost.decode_span_seconds(shape, 360, 4096, 128, wafer, FITTED)
    )
    assert whole == pytest.approx(parts)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a,b,c\n1,2,3\n", "unknown table"),
        ("", "unknown table"),
        ("model,device,mesh_P,layers\nx,y,1,2,3,4\n", "more fields"),
    ],
)
def test_a_file_that_is_no_known_table_says_so(tmp_path, text, what):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    with pytest.raises(MalformedInput, match=what):
        published_tables.read(path)


HEADERS = st.sampled_from(
    [
        "",
        "model,device,mesh_P,layers\n",
        "model,phase,system,num_gpus\n",
        "model,workload,tp,precision\n",
        "gemv_N,a100_gpus\n",
    ]
)


@given(HEADERS, st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_is_a_table_with_predictions_or_none_or_an_error_of_ours(header, text):
    try:
        table = published_tables._parse(header + text, "fuzz")
    except SparkError as error:
        assert error.what
        return
    for row in table.rows:
        found = validation.evaluate(table.kind, row, FITTED)
        assert (found["predicted"] is None) == bool(found["why_not"])


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(MalformedInput, match="cannot read"):
        published_tables.read(tmp_path / "none.csv")


@pytest.mark.parametrize("text", ["420", "420.0", "420x420", "420×420", "420²", "420^2"])
def test_a_grid_is_read_however_it_is_written(text):
    row = {"model": "LLaMA3-8B", "device": "WSE-2", "mesh_P": text, "layers": "32"}
    assert row_predictors.number(row, "mesh_P") == 420


@pytest.mark.parametrize("text", ["wide", "", "inf", "nan", "1e999", "-4", "0", "420x360"])
def test_a_row_with_a_grid_that_is_no_number_has_no_prediction(text):
    row = {"model": "LLaMA3-8B", "device": "WSE-2", "mesh_P": text, "layers": "32"}
    assert row_predictors.try_predict("decode", row, FITTED)[0] is None


def test_every_constant_is_printed_with_its_unfitted_value():
    report = validation.report([published_tables.packaged("kv capacity")])
    assert {entry["name"]: entry["value"] for entry in report["constants"]} == asdict(FITTED)
    assert {entry["name"]: entry["unfitted"] for entry in report["constants"]} == asdict(UNFITTED)

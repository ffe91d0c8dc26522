"""Where models lie: SRAM, stages, wafers, and what is said when there is no room."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spark_tui.errors import ConfigError, ExitCode, MalformedInput, Misfit, UsageError
from spark_tui.mesh.estimates import placement
from spark_tui.mesh.estimates.prediction import best_grid, decode
from spark_tui.mesh.facts import model_shapes, wafer
from spark_tui.mesh.facts.wafer import MINI8, WSE2, WSE3
from spark_tui.shapes import ModelShape

LLAMA, QWEN = model_shapes.PRESETS["llama3-8b"], model_shapes.PRESETS["qwen2-72b"]


@given(
    st.sampled_from(sorted(model_shapes.PRESETS)),
    st.sampled_from([120, 240, 420, 660]),
    st.integers(1, 20_000),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_what_is_placed_fits_and_what_does_not_fit_raises(name, side, positions, prompt):
    shape = model_shapes.PRESETS[name]
    try:
        spot = placement.place(shape, side, positions, WSE2, prompt=prompt)
    except Misfit as error:
        assert error.exit_code == ExitCode.MISFIT
        assert "missing" in error.what
        return
    assert spot.sram_bytes_per_core <= WSE2.sram_bytes_per_core
    assert spot.layers_per_stage * spot.stages >= shape.n_layers
    assert spot.wafers * spot.regions_per_wafer >= spot.stages
    held = spot.sram_bytes_per_core - WSE2.runtime_bytes_per_core - spot.activation_bytes
    assert held == spot.layers_per_stage * (spot.weight_bytes_per_layer + spot.kv_bytes_per_layer)


def test_a_layer_that_is_too_large_says_by_how_much_and_which_grid_would_do():
    with pytest.raises(Misfit) as caught:
        placement.place(QWEN, 60, 4096, WSE2)
    spot = placement._measure(QWEN, 60, 4096, WSE2, False)
    assert f"{spot.sram_bytes_per_core - WSE2.sram_bytes_per_core:,} bytes are missing" in caught.value.what
    assert "--grid 240 fits (stages: 80, wafers: 7)." in caught.value.hint
    assert placement.place(QWEN, 240, 4096, WSE2).wafers == 7


def test_too_few_wafers_say_how_many_stages_and_wafers_there_must_be():
    with pytest.raises(Misfit) as caught:
        placement.place(LLAMA, 420, 4096, WSE2, wafers=1)
    assert "3 stages" in caught.value.what
    assert "2 wafers and there are 1" in caught.value.what
    assert "--wafers 2" in caught.value.hint
    side = placement.fitting_side(LLAMA, 4096, WSE2, wafers=1)
    assert f"--grid {side} fits" in caught.value.hint
    assert placement.place(LLAMA, side, 4096, WSE2, wafers=1).wafers == 1


def test_a_model_that_no_grid_of_a_small_wafer_holds_says_so():
    with pytest.raises(Misfit, match="missing") as caught:
        placement.place(LLAMA, 8, 16, MINI8)
    assert "No square grid of this device" in caught.value.hint


@pytest.mark.parametrize("side", [0, -3, 751])
def test_a_grid_that_is_not_on_the_device_is_refused(side):
    with pytest.raises(UsageError) as caught:
        decode(LLAMA, WSE2, side, 4096)
    assert caught.value.exit_code == ExitCode.MALFORMED


def test_shifted_keys_have_a_whole_grids_rows_of_room():
    each = placement.shift_tokens_per_row(LLAMA, 360, WSE2)
    assert 300 < each < 450
    assert placement.shift_tokens_per_row(LLAMA, 240, WSE2) != each


def test_handing_a_token_on_is_little_beside_computing_it_and_grows_with_the_stages():
    one = decode(LLAMA, WSE2, 720, 4096)
    many = decode(LLAMA, WSE2, 240, 4096)
    assert (one["stages"], one["handover_cycles_per_token"]) == (1, 0)
    assert 0 < many["handover_cycles_per_token"] < 0.02 * many["cycles_per_layer"] * LLAMA.n_layers
    assert many["pipelined_tokens_per_second"] == pytest.approx(
        many["tokens_per_second"] * LLAMA.n_layers / many["layers_per_stage"]
    )
    across = decode(QWEN, WSE2, 240, 4096)
    assert across["wafers"] > 1
    assert across["handover_cycles_per_token"] > many["handover_cycles_per_token"]


def test_the_best_grid_is_the_fastest_that_holds_the_model():
    best = best_grid(LLAMA, WSE2, 4096)
    rate = decode(LLAMA, WSE2, best, 4096)["tokens_per_second"]
    for side in (240, 300, 420, 660):
        assert decode(LLAMA, WSE2, side, 4096)["tokens_per_second"] <= rate


# -- devices
# --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"), [("WSE-2", WSE2), ("wse3", WSE3), ("CS-3", WSE3), (" mini8 ", MINI8)]
)
def test_devices_are_found_whatever_their_spelling(name, found):
    assert wafer.preset(name) is found


def test_hops_and_sram_are_the_published_ones():
    assert (WSE2.hop_cycles, WSE3.hop_cycles, WSE2.ramp_cycles, WSE2.colours) == (1, 2, 2, 24)
    assert (WSE2.columns, WSE2.rows) == (750, 994)
    assert WSE2.data_bytes_per_core == 44_976
    assert WSE3.io_bytes_per_second * 8 == 1.2e12


def test_a_device_of_ones_own_changes_only_what_it_names(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "wse3"\ncolumns = 100\nclock_hz = 0.85e9\n')
    mine = wafer.load(str(path))
    assert (mine.name, mine.columns, mine.clock_hz, mine.rows) == ("mine", 100, 0.85e9, WSE3.rows)


@pytest.mark.parametrize(
    "text",
    [
        "colums = 5\n",
        'columns = "five"\n',
        "columns = 2.5\n",
        "columns = 0\n",
        "columns = -1\n",
        "columns = true\n",
        "columns = inf\n",
        "wavelet_cycles = 0\n",
        "clock_hz = nan\n",
        f"clock_hz = 1{'0' * 400}\n",
        "name = 3\n",
        "= broken",
    ],
)
def test_a_device_file_that_is_wrong_says_where(tmp_path, text):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        wafer.load(str(path))
    assert caught.value.where == str(path)


def test_an_unknown_device_is_refused():
    with pytest.raises(UsageError, match="unknown device"):
        wafer.load("wse9")


# -- models
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("LLaMA3-8B", "llama3-8b"),
        ("Llama3.1-8B (16-bit)", "llama3-8b"),
        ("meta-llama/Llama-3.1-70B-Instruct", "llama3-70b"),
        ("Llama-3.3-70B", "llama3-70b"),
        ("Llama-2-7b-hf", "llama2-7b"),
        ("LLaMA2-13B", "llama2-13b"),
        ("CodeLlama-34b-Instruct-hf", "codellama-34b"),
        ("CodeLLaMA-34B", "codellama-34b"),
        ("QWen2-72B", "qwen2-72b"),
        ("Qwen2.5-72B-Instruct", "qwen2-72b"),
        ("Mistral-7B-Instruct-v0.3", "mistral-7b"),
        ("Llama-3.2-1B", "llama3.2-1b"),
        ("Qwen3-32B", "qwen3-32b"),
    ],
)
def test_models_are_found_whatever_their_spelling(name, preset):
    assert model_shapes.find(name) is model_shapes.PRESETS[preset]


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("llama3-8b", 8.03),
        ("llama3-70b", 70.6),
        ("llama2-13b", 13.0),
        ("qwen2-72b", 72.7),
        ("codellama-34b", 33.7),
    ],
)
def test_presets_have_as_many_weights_as_their_names_say(name, billions):
    assert model_shapes.PRESETS[name].n_params / 1e9 == pytest.approx(billions, rel=0.01)


def test_mixtures_are_only_for_gpus_under_load():
    assert model_shapes.find_served("Mixtral-8x7B-v0.1").n_params / 1e9 == pytest.approx(46.7, rel=0.01)
    with pytest.raises(UsageError, match="unknown model preset"):
        model_shapes.find("Mixtral-8x7B")


CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "vocab_size": 128_256,
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14_336,
    "tie_word_embeddings": False,
    "max_position_embeddings": 8192,
}


def write(tmp_path, **changes):
    path = tmp_path / "config.json"
    values = {key: value for key, value in (CONFIG | changes).items() if value is not None}
    path.write_text(json.dumps(values))
    return path


def test_a_configuration_file_gives_the_same_shape_as_the_preset(tmp_path):
    found = model_shapes.load(str(write(tmp_path, _name_or_path="llama3-8b")))
    assert found == LLAMA
    assert model_shapes.load(str(tmp_path)) == found


@pytest.mark.parametrize(
    ("changes", "error", "what"),
    [
        ({"architectures": ["MixtralForCausalLM"]}, UsageError, "not supported on the mesh"),
        ({"architectures": []}, UsageError, "not supported"),
        ({"num_attention_heads": 31}, UsageError, "do not divide"),
        ({"num_key_value_heads": 5}, UsageError, "do not divide"),
        ({"hidden_size": None}, MalformedInput, "hidden_size is missing"),
        ({"hidden_size": "wide"}, MalformedInput, "whole number"),
        ({"num_hidden_layers": 0}, MalformedInput, "from 1 to 10,000"),
        ({"num_hidden_layers": 10**9}, MalformedInput, "from 1 to 10,000"),
        ({"vocab_size": 10**400}, MalformedInput, "from 1 to 1,000,000,000"),
        ({"architectures": 1}, UsageError, "not supported"),
    ],
)
def test_a_configuration_that_cannot_be_placed_says_why(tmp_path, changes, error, what):
    with pytest.raises(error, match=what) as caught:
        model_shapes.from_config(write(tmp_path, **changes))
    assert caught.value.exit_code == ExitCode.MALFORMED


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00"])
def test_a_file_that_is_no_configuration_says_so(tmp_path, text):
    path = tmp_path / "config.json"
    path.write_text(text)
    with pytest.raises(MalformedInput):
        model_shapes.load(str(path))


def test_windows_of_layers_are_read(tmp_path):
    kinds = ["sliding_attention", "full_attention"] * 16
    found = model_shapes.from_config(write(tmp_path, layer_types=kinds, sliding_window=512))
    assert found.windows == (512, 0) * 16
    assert isinstance(found, ModelShape)
    mistral = {"architectures": ["MistralForCausalLM"], "sliding_window": 4096}
    assert model_shapes.from_config(write(tmp_path, **mistral)).windows == (4096,) * 32
    assert model_shapes.from_config(write(tmp_path, sliding_window=4096)).windows == ()

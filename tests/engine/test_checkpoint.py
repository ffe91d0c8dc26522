"""What a model folder can get wrong is named: which tensor, which file, what was expected, what was found."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer as WordLevelTokenizer
from tokenizers.models import WordLevel

from spark_tui.engine.architecture import weight_shapes
from spark_tui.engine.checkpoint import check_tokenizer, load_checkpoint
from spark_tui.engine.families import FAMILIES
from spark_tui.engine.formats import weights
from spark_tui.engine.formats.weights import check_finite
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import MalformedInput, Misfit, NoBackend, SparkError

GOLDEN = Path(__file__).resolve().parent.parent / "cases" / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def copy(tmp_path: Path, case: str = "llama-plain") -> Path:
    folder = tmp_path / case
    shutil.copytree(GOLDEN / case, folder)
    return folder


def change_config(folder: Path, **changes: Any) -> Path:
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config.update(changes)
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not ...}))
    return folder


def change_weights(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    tensors = dict(load_file(folder / "model.safetensors"))
    change(tensors)
    save_file(
        {name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / "model.safetensors"
    )
    return folder


@pytest.mark.parametrize("case", CASES)
def test_every_weight_of_every_case_is_found_in_its_shape(case: str) -> None:
    loaded = load_checkpoint(GOLDEN / case)
    assert {name: values.shape for name, values in loaded.weights.items()} == weight_shapes(loaded.arch)
    assert all(values.dtype == np.float32 and values.flags.c_contiguous for values in loaded.weights.values())
    assert loaded.arch.family == case.split("-")[0]
    assert loaded.arch.name == case


def test_every_family_has_a_golden_case() -> None:
    spelled = {name: name.removesuffix("_text") for name in FAMILIES}
    assert set(spelled.values()) == {case.split("-")[0] for case in CASES}


def test_progress_rises_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    load_checkpoint(GOLDEN / "llama-plain", lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1][0] == seen[-1][1]
    assert len({total for _, total in seen}) == 1


def test_float32_weights_stay_mapped() -> None:
    weights = load_checkpoint(GOLDEN / "llama-plain").weights
    assert not weights["layers.0.mlp.up"].flags.owndata
    assert not weights["layers.0.mlp.up"].flags.writeable


def test_what_ends_a_text_is_taken_from_the_generation_settings(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    assert load_checkpoint(folder).arch.eos_ids == (2,)
    (folder / "generation_config.json").write_text('{"eos_token_id": [2, 7]}')
    assert load_checkpoint(folder).arch.eos_ids == (2, 7)


def test_what_ends_a_text_may_stand_outside_of_the_settings_of_the_text_model(tmp_path: Path) -> None:
    folder = change_config(copy(tmp_path, "gemma3-caps"), eos_token_id=[1, 6])
    config = json.loads((folder / "config.json").read_text())
    inner = {"text_config": {**config, "model_type": "gemma3_text", "eos_token_id": None}}
    change_config(
        folder, **{**dict.fromkeys(config, ...), "model_type": "gemma3", "eos_token_id": [1, 6], **inner}
    )
    assert load_checkpoint(folder).arch.eos_ids == (1, 6)


@pytest.mark.parametrize(("name", "says"), [("nothing-here", "no such model"), ("config.json", "this file")])
def test_a_path_that_is_no_folder_is_said_to_be_none(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(NoBackend, match=says):
        load_checkpoint(tmp_path / name)


def test_a_folder_without_a_configuration_says_what_belongs_there(tmp_path: Path) -> None:
    with pytest.raises(NoBackend, match=r"no config\.json"):
        load_checkpoint(tmp_path)


def test_a_folder_without_weights_says_so(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    (folder / "model.safetensors").unlink()
    with pytest.raises(NoBackend, match=r"no \*\.safetensors"):
        load_checkpoint(folder)


def test_pickled_weights_are_refused_and_never_opened(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    (folder / "model.safetensors").unlink()
    witness = tmp_path / "opened"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (witness,))

    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(NoBackend, match="never loaded"):
        load_checkpoint(folder)
    assert not witness.exists()


def test_an_unknown_model_type_lists_what_is_supported(tmp_path: Path) -> None:
    with pytest.raises(Misfit) as caught:
        load_checkpoint(change_config(copy(tmp_path), model_type="mamba"))
    assert "'mamba'" in caught.value.what
    assert all(name in caught.value.hint for name in FAMILIES)


def test_missing_tensors_are_named(tmp_path: Path) -> None:
    folder = change_weights(copy(tmp_path), lambda tensors: tensors.pop("model.layers.1.mlp.up_proj.weight"))
    with pytest.raises(
        MalformedInput, match=r"1 of 21 tensors are missing: model\.layers\.1\.mlp\.up_proj\.weight"
    ):
        load_checkpoint(folder)


def test_a_wrong_shape_says_which_expected_and_found(tmp_path: Path) -> None:
    def narrow(tensors: dict[str, Any]) -> None:
        tensors["model.layers.1.mlp.up_proj.weight"] = tensors["model.layers.1.mlp.up_proj.weight"][:, :12]

    with pytest.raises(
        MalformedInput,
        match=r"model\.layers\.1\.mlp\.up_proj\.weight has the shape \[24, 12\], expected \[24, 16\]",
    ):
        load_checkpoint(change_weights(copy(tmp_path), narrow))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_weight_that_is_no_number_is_found_where_it_lies(tmp_path: Path, value: float) -> None:
    def spoil(tensors: dict[str, Any]) -> None:
        matrix = tensors["model.layers.0.self_attn.q_proj.weight"].copy()
        matrix[3, 5] = value
        tensors["model.layers.0.self_attn.q_proj.weight"] = matrix

    with pytest.raises(MalformedInput, match=r"q_proj\.weight holds (nan|-?inf) at \[3, 5\]"):
        load_checkpoint(change_weights(copy(tmp_path), spoil))


def test_large_finite_weights_are_not_taken_for_damage() -> None:
    check_finite(np.full((4, 4), 3e38, np.float32), "w", "here")


def test_weights_that_do_not_fit_the_memory_are_refused_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(weights, "memory_free", lambda: 1000)
    monkeypatch.setattr(weights, "check_finite", lambda *_: pytest.fail("read"))
    with pytest.raises(Misfit, match="GB of memory, and"):
        load_checkpoint(GOLDEN / "llama-plain")


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    path = copy(tmp_path) / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(MalformedInput) as caught:
        load_checkpoint(path.parent)
    assert caught.value.where == str(path)


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    folder = copy(tmp_path, "llama-gqa-tied")
    (folder / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(MalformedInput, match="1 of 2 shards are missing: model-00002"):
        load_checkpoint(folder)


@pytest.mark.parametrize("name", ["../model.safetensors", "/etc/passwd", "weights.bin", "a/b.safetensors"])
def test_an_index_cannot_reach_outside_its_folder(tmp_path: Path, name: str) -> None:
    folder = copy(tmp_path, "llama-gqa-tied")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"w": name}}))
    with pytest.raises(MalformedInput, match="not a file of this folder"):
        load_checkpoint(folder)


def test_an_index_that_names_too_much_is_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path, "llama-gqa-tied")
    path = folder / "model.safetensors.index.json"
    index = json.loads(path.read_text())
    index["weight_map"]["more"] = "model-00001-of-00002.safetensors"
    path.write_text(json.dumps(index))
    with pytest.raises(MalformedInput, match="tensor more is not in"):
        load_checkpoint(folder)


def test_a_tensor_in_two_files_is_refused(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    shutil.copy(folder / "model.safetensors", folder / "again.safetensors")
    with pytest.raises(MalformedInput, match=r"is in again\.safetensors and in model\.safetensors"):
        load_checkpoint(folder)


def test_an_int8_matrix_without_its_scales_is_refused(tmp_path: Path) -> None:
    name = "model.layers.0.mlp.up_proj.weight_scale"
    folder = change_weights(copy(tmp_path, "spark-int8"), lambda tensors: tensors.pop(name))
    with pytest.raises(MalformedInput, match="weight_scale is missing"):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"hidden_size": ...}, "hidden_size is missing", id="missing"),
        pytest.param({"hidden_size": "16"}, "hidden_size is '16'", id="text-for-number"),
        pytest.param({"hidden_size": 16.5}, "hidden_size is 16.5", id="fraction"),
        pytest.param({"num_hidden_layers": True}, "num_hidden_layers is True", id="flag-for-number"),
        pytest.param({"num_hidden_layers": 0}, "num_hidden_layers is 0", id="no-layers"),
        pytest.param({"num_hidden_layers": 10**9}, "expected 1 to 10,000", id="layers-without-end"),
        pytest.param({"model_type": "mistral", "sliding_window": -5}, "window of -5", id="negative-window"),
        pytest.param({"rope_theta": 10**400}, "expected a number", id="number-too-large"),
        pytest.param({"vocab_size": 10**400}, "expected a whole number", id="integer-too-large"),
        pytest.param({"head_dim": 10**400}, "expected a whole number", id="size-too-large"),
        pytest.param({"partial_rotary_factor": -1}, "turns no dimension", id="rope-turns-nothing"),
        pytest.param(
            {"rope_parameters": {"rope_type": "yarn", "factor": 1e308}}, "factor is 1e+308", id="rope-factor"
        ),
        pytest.param({"num_attention_heads": 0}, "n_heads is 0", id="no-heads"),
        pytest.param({"num_key_value_heads": 3}, "do not divide", id="heads-do-not-divide"),
        pytest.param({"head_dim": 5}, "cannot turn in pairs", id="odd-rotary-size"),
        pytest.param({"hidden_act": "mish"}, "hidden_act is 'mish'", id="unknown-activation"),
        pytest.param({"attention_bias": "yes"}, "expected true or false", id="text-for-flag"),
        pytest.param({"eos_token_id": "2"}, "expected a token id", id="text-for-id"),
        pytest.param(
            {"rope_parameters": {"rope_type": "spiral"}}, "'spiral' is not supported", id="unknown-rope"
        ),
        pytest.param(
            {"rope_parameters": {"rope_type": "linear"}}, "needs a factor", id="rope-without-factor"
        ),
        pytest.param({"rope_parameters": {"full_attention": {}}}, "by layer type", id="nested-rope"),
        pytest.param({"rope_parameters": 3}, "expected an object", id="rope-is-a-number"),
        pytest.param(
            {"rope_parameters": {"rope_type": "longrope", "short_factor": [1], "long_factor": [1, 1]}},
            "short_factor has 1 entries, expected 2",
            id="longrope-factors",
        ),
        pytest.param({"quantization_config": {"quant_method": "gptq"}}, "quantized by gptq", id="quantized"),
        pytest.param({"model_type": None}, "model_type is missing", id="no-model-type"),
    ],
)
def test_an_odd_configuration_names_its_key(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(SparkError) as caught:
        load_checkpoint(change_config(copy(tmp_path), **changes))
    assert says in caught.value.what


@pytest.mark.parametrize("text", ["", "[", "[]", "7", "\x00", '{"a": ' * 5000])
def test_a_configuration_that_is_none_is_an_error(tmp_path: Path, text: str) -> None:
    folder = copy(tmp_path)
    (folder / "config.json").write_text(text)
    with pytest.raises(MalformedInput) as caught:
        load_checkpoint(folder)
    assert caught.value.where.endswith("config.json")


@pytest.mark.parametrize("own", [{"gate": 5}, {"gate": {"cannot": "x"}}, {"max_window_lines": "x"}])
def test_settings_of_a_spark_that_are_no_numbers_are_refused(tmp_path: Path, own: dict[str, Any]) -> None:
    with pytest.raises(MalformedInput, match="expected"):
        load_checkpoint(change_config(copy(tmp_path, "spark-bare"), spark=own))


def test_a_spark_of_another_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misfit, match="layout 2"):
        load_checkpoint(change_config(copy(tmp_path, "spark-bare"), spark={"layout": 2}))


def tokenizer_with(ids: int, specials: int) -> Tokenizer:
    backend = WordLevelTokenizer(WordLevel({f"w{place}": place for place in range(ids)}, unk_token="w0"))
    backend.add_special_tokens([f"<{place}>" for place in range(specials)])
    return Tokenizer(backend)


def test_ids_that_pass_the_embedding_are_counted() -> None:
    arch = load_checkpoint(GOLDEN / "llama-plain").arch
    check_tokenizer(arch, tokenizer_with(39, 1))
    for ids, specials in ((41, 0), (40, 1)):
        with pytest.raises(Misfit, match="ids up to 40, the embedding ends at 39"):
            check_tokenizer(arch, tokenizer_with(ids, specials))


def test_gemma3_may_have_special_ids_for_images_beyond_its_text() -> None:
    arch = load_checkpoint(GOLDEN / "gemma3-caps").arch
    check_tokenizer(arch, tokenizer_with(40, 1))
    with pytest.raises(Misfit, match="ids up to 40"):
        check_tokenizer(arch, tokenizer_with(41, 1))


@pytest.mark.parametrize(
    ("case", "rope", "window"),
    [
        ("llama-plain", 64, 64),
        ("llama-rope-linear", 64, 64),
        ("llama-rope-dynamic", 12, 36),
        ("llama-rope-yarn", 64, 64),
        ("llama-rope-longrope-long", 64, 64),
    ],
)
def test_a_rope_that_stretches_the_window_is_counted(case: str, rope: int, window: int) -> None:
    arch = load_checkpoint(GOLDEN / case).arch
    assert (arch.ropes[0].max_positions, arch.window_tokens) == (rope, window)


def test_yarn_stretches_the_length_it_was_first_trained_at(tmp_path: Path) -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}
    assert load_checkpoint(change_config(copy(tmp_path), rope_parameters=scaling)).arch.window_tokens == 256

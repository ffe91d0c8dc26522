"""A GGUF file of every family gives the logits of the checkpoint that it was made from.

Tensors are named by the `gguf` package's own table, from their Hugging Face names, so a name that only we
believe in would not be found. What the converter does to the values is done here in the plainest way.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gguf = pytest.importorskip("gguf", reason="extra gguf is not installed")

from support.gguf_writer import paired  # noqa: E402
from support.parity_runs import RUNS, assert_same  # noqa: E402

from spark_tui.engine.checkpoint import load_checkpoint, open_files  # noqa: E402
from spark_tui.engine.model import Model  # noqa: E402

GOLDEN = Path(__file__).resolve().parents[2] / "cases" / "golden"
CASES = {
    "llama-gqa-tied": "llama",
    "llama-plain": "llama",
    "llama-rope-linear": "llama",
    "mistral-window": "llama",
    "qwen2-gqa-tied": "qwen2",
    "qwen3-gqa": "qwen3",
    "gemma2-caps-windows": "gemma2",
    "gemma2-no-caps": "gemma2",
    "gemma3-two-ropes": "gemma3",
    "gpt2-plain": "gpt2",
    "starcoder2-window": "starcoder2",
    "starcoder2-no-bias": "starcoder2",
}


def convert(case: str, kind: str, path: Path) -> Path:
    """What llama.cpp's converter does for this family."""
    folder = GOLDEN / case
    config = json.loads((folder / "config.json").read_text())
    config = config.get("text_config", config)
    writer = gguf.GGUFWriter(str(path), kind)
    heads = config.get("num_attention_heads", config.get("n_head"))
    keys = config.get("num_key_value_heads", heads)
    layers = config.get("num_hidden_layers", config.get("n_layer"))
    width = config.get("hidden_size", config.get("n_embd"))
    writer.add_context_length(config.get("max_position_embeddings", config.get("n_positions")))
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(config.get("intermediate_size", config.get("n_inner")))
    writer.add_head_count(heads)
    writer.add_head_count_kv(keys)
    writer.add_key_length(config.get("head_dim") or width // heads)
    writer.add_layer_norm_rms_eps(config.get("rms_norm_eps", 1e-6))
    writer.add_layer_norm_eps(config.get("layer_norm_epsilon", config.get("norm_epsilon", 1e-5)))
    if config.get("sliding_window") and config.get("use_sliding_window", True):
        writer.add_sliding_window(config["sliding_window"])
    if config.get("attn_logit_softcapping"):
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
    if config.get("final_logit_softcapping"):
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    write_rope(writer, config)
    table = gguf.get_tensor_name_map(gguf.MODEL_ARCH_NAMES_OF[kind], layers)
    for name, file in open_files(folder).items():
        values = np.array(file.read(name))
        name = name.removeprefix("language_model.")
        found = table.get_name(name, try_suffixes=(".weight", ".bias"))
        assert found, name
        if kind == "llama" and ".q_proj" in name:
            values = paired(values, heads)
        if kind == "llama" and ".k_proj" in name:
            values = paired(values, keys)
        if kind == "gpt2" and values.ndim == 2 and (".attn." in name or ".mlp." in name):
            values = np.ascontiguousarray(values.T)
        if kind.startswith("gemma") and "norm" in name:
            values = values + 1
        writer.add_tensor(found, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_rope(writer: Any, config: dict[str, Any]) -> None:
    settings = config.get("rope_parameters") or config.get("rope_scaling") or {}
    settings = settings.get("full_attention", settings)
    theta = settings.get("rope_theta", config.get("rope_theta"))
    if theta:
        writer.add_rope_freq_base(theta)
    if settings.get("factor"):
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(settings["factor"])


@pytest.fixture(autouse=True)
def names_of_architectures(monkeypatch: pytest.MonkeyPatch) -> None:
    reverse = {name: number for number, name in gguf.MODEL_ARCH_NAMES.items()}
    monkeypatch.setattr(gguf, "MODEL_ARCH_NAMES_OF", reverse, raising=False)


def _scaled_as_gguf_can_say(case: str) -> tuple[bool, bool]:
    """Whether the file can carry the query scale and the windows of this case: gemma's are not written in
    it."""
    gemma = case.startswith("gemma")
    return not gemma, not gemma


@pytest.mark.parametrize("case", CASES)
def test_logits_are_those_of_the_checkpoint(case: str, tmp_path: Path) -> None:
    from dataclasses import replace

    path = convert(case, CASES[case], tmp_path / "m.gguf")
    original = load_checkpoint(GOLDEN / case)
    found = load_checkpoint(path)
    arch = found.arch
    says_scale, says_layers = _scaled_as_gguf_can_say(case)
    if not says_scale:
        arch = replace(arch, attn_scale=original.arch.attn_scale)
    if not says_layers:
        # The file names neither pattern nor the local base: real gemmas all have the family's own.
        arch = replace(
            arch,
            windows=original.arch.windows,
            layer_ropes=original.arch.layer_ropes,
            ropes=original.arch.ropes,
        )
    with np.load(GOLDEN / case / "golden.npz", allow_pickle=False) as golden:
        ids, logits = golden["ids"].tolist(), golden["logits"]
    assert_same(RUNS["whole"](Model(arch, found.weights), ids), logits)


def test_a_gemma_of_the_largest_size_scales_by_its_own_size(tmp_path: Path) -> None:
    from spark_tui.engine.formats.gguf import architecture_of
    from spark_tui.engine.formats.gguf_file import GgufFile

    file = GgufFile(convert("gemma2-no-caps", "gemma2", tmp_path / "m.gguf"))
    assert architecture_of(file).attn_scale == pytest.approx(4**-0.5)
    file.metadata["gemma2.block_count"] = 46
    assert architecture_of(file).attn_scale == pytest.approx((16 / 4) ** -0.5)
    file.metadata["gemma2.embedding_length"] = 64
    assert architecture_of(file).attn_scale == pytest.approx((64 / 4) ** -0.5)

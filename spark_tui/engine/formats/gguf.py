"""Load a GGUF file into the same `Checkpoint` that a Hugging Face folder gives.

The metadata is first rewritten as the `config.json` of its family, so that configurations are interpreted in
one place only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.engine.architecture import Arch, Rope, weight_shapes
from spark_tui.engine.families import FAMILIES
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.families.tensor_names import GGUF, GGUF_GPT2, TensorSource
from spark_tui.engine.formats.gguf_file import GgufFile
from spark_tui.engine.formats.weights import Array, Checkpoint, Progress, check_finite, check_memory
from spark_tui.errors import MalformedInput, Misfit

ARCHITECTURES = {
    "llama": "llama",
    "qwen2": "qwen2",
    "qwen3": "qwen3",
    "gemma2": "gemma2",
    "gemma3": "gemma3_text",
    "gpt2": "gpt2",
    "starcoder2": "starcoder2",
}
"""GGUF's name of an architecture, and the `model_type` whose configuration it is rewritten as."""
_ENDS = (
    *("<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<|EOT|>"),
    *("<|endoftext|>", "<|end_of_text|>", "<end_of_turn>"),
)
_GEMMA_LAYERS_27B = {"gemma2": 46, "gemma3": 62}


def load_gguf(path: Path, progress: Progress | None = None) -> Checkpoint:
    """Read one file. Splits of several files are refused by name."""
    file = GgufFile(path)
    if file.metadata.get("split.count", 1) not in (0, 1):
        raise Misfit(
            "the model is split over several GGUF files", where=str(path), hint="Join them with gguf-split."
        )
    kind, config = config_of(file)
    arch = _arch(file, config)
    weights: dict[str, Array] = {}
    shapes = weight_shapes(arch)
    total, done = sum(int(np.prod(shape)) * 4 for shape in shapes.values()), 0
    sources = (GGUF_GPT2 if kind == "gpt2" else GGUF).sources(arch)
    missing = sorted({source.name for source in sources.values() if source.name not in file.tensors})
    if missing:
        raise MalformedInput(
            f"{len(missing)} of {len(shapes)} tensors are missing: {', '.join(missing[:5])}", where=str(path)
        )
    check_memory(arch, str(path))
    for key in shapes:
        weights[key] = _weight(file, sources[key])
        if kind == "llama" and re.search(r"attn\.[qk](_b)?$", key):
            weights[key] = _unpaired(weights[key], arch.n_heads if ".q" in key else arch.n_kv_heads)
        done += weights[key].size * 4
        if progress:
            progress(done, total)
    return Checkpoint(arch, weights)


def architecture_of(file: GgufFile) -> Arch:
    """The architecture in the metadata, without reading weights."""
    return _arch(file, config_of(file)[1])


def config_of(file: GgufFile) -> tuple[str, dict[str, Any]]:
    """GGUF's architecture name, and its metadata in the words of a `config.json`."""
    kind = file.metadata.get("general.architecture")
    if kind not in ARCHITECTURES:
        raise Misfit(
            f"the GGUF architecture {kind!r} is not supported",
            where=str(file.path),
            hint=f"Supported: {', '.join(ARCHITECTURES)}.",
        )
    meta = ModelConfig({k.removeprefix(f"{kind}."): v for k, v in file.metadata.items()}, str(file.path))
    heads, d_model = meta.integer("attention.head_count"), meta.integer("embedding_length")
    embedding = file.tensors.get("token_embd.weight")
    if embedding is None:
        raise MalformedInput("tensor token_embd.weight is missing", where=str(file.path))
    if heads <= 0:
        raise MalformedInput(f"attention.head_count is {heads}, it has to be positive", where=str(file.path))
    head_dim = meta.integer("attention.key_length", d_model // heads)
    config: dict[str, Any] = {
        "model_type": ARCHITECTURES[kind],
        "vocab_size": embedding.shape[0],
        "hidden_size": d_model,
        "num_hidden_layers": meta.integer("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": meta.integer("attention.head_count_kv", heads),
        "head_dim": head_dim,
        "intermediate_size": meta.integer("feed_forward_length"),
        "max_position_embeddings": meta.integer("context_length"),
        "sliding_window": meta.integer("attention.sliding_window", 0) or None,
        "rms_norm_eps": meta.number("attention.layer_norm_rms_epsilon", 1e-6),
        "norm_epsilon": meta.number("attention.layer_norm_epsilon", 1e-5),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "attention_bias": "blk.0.attn_output.bias" in file.tensors,
        "use_bias": "blk.0.attn_output.bias" in file.tensors,
        "mlp_bias": "blk.0.ffn_down.bias" in file.tensors,
        "rope_scaling": _rope_scaling(meta),
        "eos_token_id": _ends(file.metadata),
        "bos_token_id": file.metadata.get("tokenizer.ggml.bos_token_id"),
        # gemma alone, whose file does not say it: the largest model scales by another size.
        "query_pre_attn_scalar": d_model // heads
        if meta.integer("block_count") == _GEMMA_LAYERS_27B.get(kind)
        else head_dim,
        "attn_logit_softcapping": meta.optional_number("attn_logit_softcapping"),
        "final_logit_softcapping": meta.optional_number("final_logit_softcapping"),
    }
    if meta.has("rope.freq_base"):
        config["rope_theta"] = meta.number("rope.freq_base", 0)
    if kind == "llama" and config["sliding_window"]:
        config["model_type"] = "mistral"
    if kind == "gpt2":
        config |= {
            "n_embd": d_model,
            "n_layer": config["num_hidden_layers"],
            "n_head": heads,
            "n_inner": config["intermediate_size"],
            "n_positions": config["max_position_embeddings"],
            "layer_norm_epsilon": config["norm_epsilon"],
        }
    return kind, config


def _ends(metadata: Mapping[str, Any]) -> list[int]:
    """What ends a text: the file names one id, and others are known by their spelling only (a chat's end of
    a turn), as llama.cpp has it."""
    named = (metadata.get(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "eot", "eom"))
    tokens = metadata.get("tokenizer.ggml.tokens")
    spelled = (at for at, text in enumerate(tokens if isinstance(tokens, list) else ()) if text in _ENDS)
    return list(dict.fromkeys(token for token in (*named, *spelled) if isinstance(token, int)))


def _rope_scaling(meta: ModelConfig) -> dict[str, Any] | None:
    kind = meta.text("rope.scaling.type", "none")
    if kind == "none":
        return None
    scaling: dict[str, Any] = {"rope_type": kind, "factor": meta.number("rope.scaling.factor", 1.0)}
    if meta.has("rope.scaling.original_context_length"):
        scaling["original_max_position_embeddings"] = meta.integer("rope.scaling.original_context_length")
    return scaling


def _arch(file: GgufFile, config: Mapping[str, Any]) -> Arch:
    family = FAMILIES[str(config["model_type"])]
    arch = family.arch(ModelConfig(config, str(file.path)), file.path.stem)
    # The converter adds gemma's 1 to the norms before it writes them.
    arch = replace(arch, norm_offset=0.0)
    if "blk.0.attn_q.bias" in file.tensors:  # some llamas have no other
        arch = replace(arch, bias_qkv=True)
    if "rope_freqs.weight" in file.tensors:
        # llama 3's scaling is written as one divisor for each frequency, whatever formula made it.
        divisors = tuple(float(value) for value in file.read("rope_freqs.weight").reshape(-1))
        if len(divisors) != arch.head_dim // 2:
            raise MalformedInput(
                f"rope_freqs.weight has {len(divisors)} entries, expected {arch.head_dim // 2}",
                where=str(file.path),
            )
        ropes = tuple(_divided(rope, divisors) for rope in arch.ropes)
        arch = replace(arch, ropes=ropes)
    return arch


def _divided(rope: Rope, divisors: tuple[float, ...]) -> Rope:
    return replace(
        rope, kind="longrope", short_factor=divisors, long_factor=divisors, factor=1.0, attention_factor=1.0
    )


def _weight(file: GgufFile, source: TensorSource) -> Array:
    found = file.tensors[source.name].shape
    if found != source.shape:
        raise MalformedInput(
            f"tensor {source.name} has the shape {list(found)}, expected {list(source.shape)}",
            where=str(file.path),
        )
    values = file.read(source.name)
    if source.rows is not None:
        values = values[slice(*source.rows)]
    check_finite(values, source.name, str(file.path))
    return values


def _unpaired(values: Array, heads: int) -> Array:
    """llama's converter lays rotary pairs side by side; canonical weights keep the two halves apart."""
    rest = values.shape[1:]
    paired = values.reshape(heads, values.shape[0] // heads // 2, 2, *rest)
    return np.ascontiguousarray(paired.swapaxes(1, 2)).reshape(values.shape)

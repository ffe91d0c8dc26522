"""Model shapes by name, and from a Hugging Face `config.json`.

Comes in: a name in any spelling, or a path. Goes out: a `ModelShape`. Must not know: devices, costs, weights.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput, UsageError
from spark_tui.shapes import ModelShape


def _shape(
    name: str,
    vocab: int,
    d: int,
    layers: int,
    heads: int,
    kv: int,
    ff: int,
    *,
    tied: bool = False,
    head_dim: int = 0,
) -> ModelShape:
    return ModelShape(name, vocab, d, layers, heads, kv, head_dim or d // heads, ff, tied_head=tied)


PRESETS: dict[str, ModelShape] = {
    shape.name: shape
    for shape in (
        _shape("llama3.2-1b", 128_256, 2048, 16, 32, 8, 8192, tied=True),
        _shape("llama3.2-3b", 128_256, 3072, 28, 24, 8, 8192, tied=True),
        _shape("llama3-8b", 128_256, 4096, 32, 32, 8, 14_336),
        _shape("llama3-70b", 128_256, 8192, 80, 64, 8, 28_672),
        _shape("llama3-405b", 128_256, 16_384, 126, 128, 8, 53_248),
        _shape("llama2-7b", 32_000, 4096, 32, 32, 32, 11_008),
        _shape("llama2-13b", 32_000, 5120, 40, 40, 40, 13_824),
        _shape("llama2-70b", 32_000, 8192, 80, 64, 8, 28_672),
        _shape("codellama-34b", 32_000, 8192, 48, 64, 8, 22_016),
        _shape("mistral-7b", 32_000, 4096, 32, 32, 8, 14_336),
        _shape("qwen2-0.5b", 151_936, 896, 24, 14, 2, 4864, tied=True),
        _shape("qwen2-1.5b", 151_936, 1536, 28, 12, 2, 8960, tied=True),
        _shape("qwen2.5-3b", 151_936, 2048, 36, 16, 2, 11_008, tied=True),
        _shape("qwen2-7b", 152_064, 3584, 28, 28, 4, 18_944),
        _shape("qwen2.5-14b", 152_064, 5120, 48, 40, 8, 13_824),
        _shape("qwen2-72b", 152_064, 8192, 80, 64, 8, 29_568),
        _shape("qwen3-8b", 151_936, 4096, 36, 32, 8, 12_288),
        _shape("qwen3-14b", 151_936, 5120, 40, 40, 8, 17_408),
        _shape("qwen3-32b", 151_936, 5120, 64, 64, 8, 25_600, head_dim=128),
        _shape("yi-34b", 64_000, 7168, 60, 56, 8, 20_480),
    )
}
MIXTURES: dict[str, ModelShape] = {
    shape.name: shape
    for shape in (
        _shape("mixtral-8x7b", 32_000, 4096, 32, 32, 8, 8 * 14_336),
        _shape("mixtral-8x22b", 32_768, 6144, 56, 48, 8, 8 * 16_384),
        _shape("llama4-scout", 202_048, 5120, 48, 40, 8, 17 * 8192, head_dim=128),
    )
}
"""Mixtures of experts with every expert in the feed width: what a well-filled batch reads. For served GPUs
only."""
_SPELLINGS = (
    (r"(meta)?llama3(\.[0123])?(8b|70b|405b)", r"llama3-\3"),
    (r"(meta)?llama3\.2(1b|3b)", r"llama3.2-\2"),
    (r"(meta)?llama2(7b|13b|70b)", r"llama2-\2"),
    (r"codellama34b", "codellama-34b"),
    (r"llama3\.3(70b)", r"llama3-\1"),
    (r"deepseekr1distillllama(8b|70b)", r"llama3-\1"),
    (r"mistral7b", "mistral-7b"),
    (r"qwen(2|2\.5)(0\.5b|1\.5b|7b|72b)", r"qwen2-\2"),
    (r"qwen332b", "qwen3-32b"),
)
DENSE_GATED = {
    "LlamaForCausalLM",
    "MistralForCausalLM",
    "Qwen2ForCausalLM",
    "Qwen3ForCausalLM",
    "Gemma2ForCausalLM",
    "Gemma3ForCausalLM",
    "GemmaForCausalLM",
    "Phi3ForCausalLM",
    "SmolLM3ForCausalLM",
}
DENSE_PLAIN = {"GPT2LMHeadModel", "GPTNeoXForCausalLM", "Starcoder2ForCausalLM"}


def find(name: str) -> ModelShape:
    """A preset, however it is spelt: `LLaMA3-8B`, `meta-llama/Llama-3.1-8B-Instruct`, `llama3-8b`."""
    text = re.sub(r"\([^)]*\)", "", name).split("/")[-1].lower()
    text = re.sub(r"[-_ ]", "", text)
    text = re.sub(r"v\d(\.\d)?$", "", text)
    text = re.sub(r"(instruct|chat|hf|it|fp8|fp16|bf16|base)+$", "", text)
    for pattern, target in _SPELLINGS:
        found = re.fullmatch(pattern, text)
        if found:
            return PRESETS[found.expand(target)]
    for key, shape in PRESETS.items():
        if key.replace("-", "") == text:
            return shape
    raise UsageError(
        f"unknown model preset {name!r}",
        hint=f"known: {', '.join(PRESETS)}; or the path of a Hugging Face config.json",
    )


def find_served(name: str) -> ModelShape:
    """As `find`, and mixtures of experts too: under load a batch reads all of their experts."""
    text = re.sub(r"[-_ ]", "", name.split("/")[-1].lower())
    for key, shape in MIXTURES.items():
        if text.startswith(key.replace("-", "")):
            return shape
    return find(name)


def load(name_or_path: str) -> ModelShape:
    """A preset, or a `config.json` (the file, or the folder that holds it)."""
    path = Path(name_or_path)
    if path.is_dir():
        path = path / "config.json"
    if path.suffix == ".json":
        return from_config(path)
    return find(name_or_path)


def from_config(path: Path) -> ModelShape:
    """Read a Hugging Face configuration of a dense decoder."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise MalformedInput(f"cannot read the model configuration: {error}", where=str(path)) from error
    if not isinstance(raw, dict):
        raise MalformedInput("the model configuration is not a JSON object", where=str(path))
    architecture = str((raw.get("architectures") or [""])[0])
    if architecture not in DENSE_GATED | DENSE_PLAIN:
        raise UsageError(
            f"the architecture {architecture or '(none)'} is not supported on the mesh",
            where=str(path),
            hint=f"dense decoders: {', '.join(sorted(DENSE_GATED | DENSE_PLAIN))}",
        )
    return _from_fields(raw, architecture, path)


def _from_fields(raw: dict[str, Any], architecture: str, path: Path) -> ModelShape:
    def number(*keys: str, default: int | None = None) -> int:
        for key in keys:
            value = raw.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise MalformedInput(
                    f"{key} must be a whole number above zero, not {value!r}", where=str(path)
                )
            return value
        if default is None:
            raise MalformedInput(f"{keys[0]} is missing", where=str(path))
        return default

    d_model = number("hidden_size", "n_embd")
    heads = number("num_attention_heads", "n_head")
    kv_heads = number("num_key_value_heads", default=heads)
    if "head_dim" not in raw and d_model % heads:
        raise UsageError(
            f"{heads} heads do not divide a width of {d_model}",
            where=str(path),
            hint="set head_dim in the file",
        )
    if heads % kv_heads:
        raise UsageError(f"{kv_heads} key heads do not divide {heads} query heads", where=str(path))
    layers = number("num_hidden_layers", "n_layer")
    window = raw.get("sliding_window")
    types = raw.get("layer_types")
    windows: tuple[int, ...] = ()
    if isinstance(types, list) and isinstance(window, int) and len(types) == layers:
        windows = tuple(window if kind == "sliding_attention" else 0 for kind in types)
    return ModelShape(
        name=str(raw.get("_name_or_path") or path.resolve().parent.name),
        vocab_size=number("vocab_size"),
        d_model=d_model,
        n_layers=layers,
        n_heads=heads,
        n_kv_heads=kv_heads,
        head_dim=number("head_dim", default=d_model // heads),
        d_ff=number("intermediate_size", "n_inner", default=4 * d_model),
        gated_mlp=architecture in DENSE_GATED,
        tied_head=bool(raw.get("tie_word_embeddings", architecture == "GPT2LMHeadModel")),
        windows=windows,
        max_positions=number("max_position_embeddings", "n_positions", default=8192),
    )

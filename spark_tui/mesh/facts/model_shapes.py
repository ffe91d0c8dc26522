"""Model shapes by name, and from a Hugging Face `config.json`."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput, UsageError, reason
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


_TABLES: dict[str, Any] = tomllib.loads(
    files("spark_tui.mesh").joinpath("data/model_shapes.toml").read_text("utf-8")
)
PRESETS = {name: _shape(name, **row) for name, row in _TABLES["dense"].items()}
MIXTURES = {name: _shape(name, **row) for name, row in _TABLES["mixtures"].items()}
_SPELLINGS: dict[str, str] = _TABLES["spellings"]
_MOST, _MOST_LAYERS = 10**9, 10_000
_WINDOWED = frozenset(_TABLES["architectures"]["windowed"])
"""A window of theirs holds for every layer."""
DENSE_GATED, DENSE_PLAIN = (frozenset(_TABLES["architectures"][kind]) for kind in ("gated", "plain"))


def find(name: str) -> ModelShape:
    """A preset, however it is spelt: `LLaMA3-8B`, `meta-llama/Llama-3.1-8B-Instruct`, `llama3-8b`."""
    text = re.sub(r"\([^)]*\)", "", name).split("/")[-1].lower()
    text = re.sub(r"[-_ ]", "", text)
    text = re.sub(r"v\d(\.\d)?$", "", text)
    text = re.sub(r"(instruct|chat|hf|it|fp8|fp16|bf16|base)+$", "", text)
    for pattern, target in _SPELLINGS.items():
        found = re.fullmatch(pattern, text)
        if found:
            return PRESETS[found.expand(target)]
    for key, shape in PRESETS.items():
        if key.replace("-", "") == text:
            return shape
    raise UsageError(
        f"unknown model preset {name!r}",
        hint=f"Known: {', '.join(PRESETS)}; or the path of a Hugging Face config.json.",
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
    return from_config(path) if path.suffix == ".json" else find(name_or_path)


def from_config(path: Path) -> ModelShape:
    """Read a Hugging Face configuration of a dense decoder."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise MalformedInput(
            f"cannot read the model configuration: {reason(error)}", where=str(path)
        ) from error
    if not isinstance(raw, dict):
        raise MalformedInput("the model configuration is not a JSON object", where=str(path))
    named = raw.get("architectures")
    architecture = str(named[0]) if isinstance(named, list) and named else ""
    if architecture not in DENSE_GATED | DENSE_PLAIN:
        raise UsageError(
            f"the architecture {architecture or '(none)'} is not supported on the mesh",
            where=str(path),
            hint=f"Dense decoders: {', '.join(sorted(DENSE_GATED | DENSE_PLAIN))}.",
        )
    return _from_fields(raw, architecture, path)


def _from_fields(raw: dict[str, Any], architecture: str, path: Path) -> ModelShape:
    def number(*keys: str, default: int | None = None) -> int:
        for key in keys:
            value = raw.get(key)
            if value is None:
                continue
            most = _MOST_LAYERS if "layer" in key else _MOST
            if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
                raise MalformedInput(
                    f"{key} must be a whole number from 1 to {most:,}, not {value!r:.40}", where=str(path)
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
            hint="Set head_dim in the file.",
        )
    if heads % kv_heads:
        raise UsageError(f"{kv_heads} key heads do not divide {heads} query heads", where=str(path))
    layers = number("num_hidden_layers", "n_layer")
    window = raw.get("sliding_window")
    types = raw.get("layer_types")
    windows: tuple[int, ...] = ()
    if isinstance(window, int) and window > 0:
        if types is None and architecture in _WINDOWED:
            windows = (window,) * layers
        elif isinstance(types, list) and len(types) == layers:
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

"""A small llama written as GGUF, by way of the `gguf` package's own writer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

SHAPE = {"vocab": 300, "d": 64, "layers": 2, "heads": 4, "keys": 2, "ff": 96}


def paired(values: np.ndarray, heads: int) -> np.ndarray:
    """Rotary halves side by side, as llama.cpp wants them: row 2i is row i of the first half."""
    size = values.shape[0] // heads
    out = np.empty_like(values)
    for head in range(heads):
        for row in range(size // 2):
            out[head * size + 2 * row] = values[head * size + row]
            out[head * size + 2 * row + 1] = values[head * size + size // 2 + row]
    return out


def random_weights(seed: int = 0) -> dict[str, np.ndarray]:
    """Canonical weights of a small llama with grouped keys."""
    rng = np.random.default_rng(seed)
    s = SHAPE
    size = s["d"] // s["heads"]
    shapes: dict[str, tuple[int, ...]] = {"embed.tok": (s["vocab"], s["d"]), "final_norm.w": (s["d"],)}
    for layer in range(s["layers"]):
        shapes |= {
            f"layers.{layer}.attn_norm.w": (s["d"],),
            f"layers.{layer}.attn.q": (s["d"], s["d"]),
            f"layers.{layer}.attn.k": (s["keys"] * size, s["d"]),
            f"layers.{layer}.attn.v": (s["keys"] * size, s["d"]),
            f"layers.{layer}.attn.o": (s["d"], s["d"]),
            f"layers.{layer}.mlp_norm.w": (s["d"],),
            f"layers.{layer}.mlp.gate": (s["ff"], s["d"]),
            f"layers.{layer}.mlp.up": (s["ff"], s["d"]),
            f"layers.{layer}.mlp.down": (s["d"], s["ff"]),
        }
    return {
        name: (rng.normal(size=shape) * (0.1 if len(shape) == 2 else 0.2) + (len(shape) == 1)).astype(
            np.float32
        )
        for name, shape in shapes.items()
    }


NAMES = {
    "embed.tok": "token_embd",
    "final_norm.w": "output_norm",
    "attn_norm.w": "attn_norm",
    "mlp_norm.w": "ffn_norm",
    "attn.q": "attn_q",
    "attn.k": "attn_k",
    "attn.v": "attn_v",
    "attn.o": "attn_output",
    "mlp.gate": "ffn_gate",
    "mlp.up": "ffn_up",
    "mlp.down": "ffn_down",
}


def byte_level_metadata() -> dict[str, Any]:
    """The vocabulary of `make_tokenizers.byte_level`, as GGUF lists it."""
    import json

    from support.tokenizers_by_kind import byte_level

    backend = byte_level()
    model = json.loads(backend.to_str())["model"]
    vocab = backend.get_vocab(with_added_tokens=True)
    tokens = [""] * SHAPE["vocab"]
    for text, number in vocab.items():
        if number < SHAPE["vocab"]:
            tokens[number] = text
    tokens = [text or f"<unused{number}>" for number, text in enumerate(tokens)]
    special = {token.content for token in backend.get_added_tokens_decoder().values() if token.special}
    kinds = [3 if text in special else 5 if text.startswith("<unused") else 1 for text in tokens]
    merges = [" ".join(pair) for pair in model["merges"] if "".join(pair) in tokens]
    return {"model": "gpt2", "pre": "gpt-2", "tokens": tokens, "kinds": kinds, "merges": merges}


def write(
    path: Path,
    weights: Mapping[str, np.ndarray],
    *,
    kind: str = "F32",
    tokenizer: Mapping[str, Any] | None = None,
    extra: Mapping[str, np.ndarray] | None = None,
    drop: str = "",
) -> Path:
    import gguf

    writer = gguf.GGUFWriter(str(path), "llama")
    s = SHAPE
    writer.add_context_length(128)
    writer.add_embedding_length(s["d"])
    writer.add_block_count(s["layers"])
    writer.add_feed_forward_length(s["ff"])
    writer.add_head_count(s["heads"])
    writer.add_head_count_kv(s["keys"])
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(5000.0)
    writer.add_rope_dimension_count(s["d"] // s["heads"])
    writer.add_vocab_size(s["vocab"])
    if tokenizer:
        writer.add_tokenizer_model(tokenizer["model"])
        writer.add_token_list(tokenizer["tokens"])
        writer.add_token_types(tokenizer["kinds"])
        if "merges" in tokenizer:
            writer.add_token_merges(tokenizer["merges"])
            writer.add_tokenizer_pre(tokenizer["pre"])
        if "scores" in tokenizer:
            writer.add_token_scores(tokenizer["scores"])
        writer.add_bos_token_id(0)
        writer.add_eos_token_id(1)
        if "template" in tokenizer:
            writer.add_chat_template(tokenizer["template"])
    quantized = gguf.GGMLQuantizationType[kind]
    for name, values in weights.items():
        layer, _, part = name.removeprefix("layers.").partition(".")
        target = NAMES[name] if name in NAMES else f"blk.{layer}.{NAMES[part]}"
        if target == drop:
            continue
        if name.endswith("attn.q"):
            values = paired(values, s["heads"])
        if name.endswith("attn.k"):
            values = paired(values, s["keys"])
        if values.ndim == 2 and kind != "F32":
            writer.add_tensor(
                f"{target}.weight", gguf.quants.quantize(values, quantized), raw_dtype=quantized
            )
        else:
            writer.add_tensor(f"{target}.weight", values)
    for name, values in (extra or {}).items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path

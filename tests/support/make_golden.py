"""Make the golden files: tiny random checkpoints of every family, and the logits that `transformers` gives
for them.

    python tests/cases/golden/make_golden.py [CASE ...]

Each case is a folder as a person would download it (`config.json`, `model.safetensors`) plus `golden.npz`
with `ids` [T] and `logits` [T, V]. Weights are drawn from a seed of the case's name, large enough that every
part of a layer shows in the logits, and rounded to the type they are stored in before the reference runs in
float32. `spark` has no place in transformers: its reference below is written in torch from
docs/decisions/0003-spark-family.md. Tests need none of this: they read the files.
"""

from __future__ import annotations

import json
import shutil
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file

HERE = Path(__file__).resolve().parents[1] / "cases" / "golden"
TOKENS = 26
BASE = {
    "vocab_size": 40,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "max_position_embeddings": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
SPARK = {
    **BASE,
    "model_type": "spark",
    "vocab_size": 64,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "num_hidden_layers": 3,
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "layer_windows": [4, 0, 7],
    "smear_keys": True,
    "tag_embeddings": True,
    "tie_word_embeddings": True,
    "operator_count": 32,
    "tag_first_id": 52,
    "tag_count": 12,
    "eos_token_id": 1,
    "bos_token_id": None,
    "spark": {"layout": 1},
}
GPT2 = {"vocab_size": 40, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 64, "n_inner": 24}
WINDOW = {"sliding_window": 5}
SHORT, LONG = [1.0, 1.1], [2.0, 5.5]


def rope(kind: str, **more: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 500.0, **more}}


YARN = {"factor": 4.0, "original_max_position_embeddings": 16}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama-plain": ("Llama", BASE),
    "llama-gqa-tied": ("Llama", {**BASE, "num_key_value_heads": 2, "tie_word_embeddings": True}),
    "llama-one-key-head": ("Llama", {**BASE, "num_key_value_heads": 1, "rms_norm_eps": 1e-5}),
    "llama-biases": ("Llama", {**BASE, "attention_bias": True, "mlp_bias": True}),
    "llama-head-size-6": ("Llama", {**BASE, "head_dim": 6, "num_key_value_heads": 2}),
    "llama-gelu": ("Llama", {**BASE, "hidden_act": "gelu"}),
    "llama-rope-linear": ("Llama", {**BASE, **rope("linear", factor=2.5)}),
    "llama-rope-dynamic": ("Llama", {**BASE, "max_position_embeddings": 12, **rope("dynamic", factor=3.0)}),
    "llama-rope-dynamic-inside": ("Llama", {**BASE, **rope("dynamic", factor=3.0)}),
    "llama-rope-yarn": ("Llama", {**BASE, "hidden_size": 32, **rope("yarn", **YARN)}),
    "llama-rope-yarn-mscale": (
        "Llama",
        {
            **BASE,
            "hidden_size": 32,
            **rope("yarn", **YARN, mscale=0.7, mscale_all_dim=1.2, beta_fast=8.0, beta_slow=0.5),
        },
    ),
    "llama-rope-yarn-attention": (
        "Llama",
        {**BASE, "hidden_size": 32, **rope("yarn", **YARN, attention_factor=1.3, truncate=False)},
    ),
    "llama-rope-llama3": (
        "Llama",
        {
            **BASE,
            "hidden_size": 32,
            **rope(
                "llama3",
                factor=8.0,
                low_freq_factor=1.0,
                high_freq_factor=4.0,
                original_max_position_embeddings=32,
            ),
        },
    ),
    "llama-rope-longrope-short": (
        "Llama",
        {
            **BASE,
            **rope("longrope", short_factor=SHORT, long_factor=LONG, original_max_position_embeddings=32),
        },
    ),
    "llama-rope-longrope-long": (
        "Llama",
        {
            **BASE,
            **rope("longrope", short_factor=SHORT, long_factor=LONG, original_max_position_embeddings=12),
        },
    ),
    "mistral-window": ("Mistral", {**BASE, **WINDOW, "num_key_value_heads": 2}),
    "mistral-global": ("Mistral", {**BASE, "sliding_window": None, "head_dim": 6, "num_key_value_heads": 2}),
    "qwen2-gqa-tied": ("Qwen2", {**BASE, "num_key_value_heads": 2, "tie_word_embeddings": True}),
    "qwen2-windows": (
        "Qwen2",
        {**BASE, **WINDOW, "use_sliding_window": True, "max_window_layers": 1, "num_hidden_layers": 3},
    ),
    "qwen3-gqa": ("Qwen3", {**BASE, "num_key_value_heads": 2, "head_dim": 10, "tie_word_embeddings": True}),
    "qwen3-biases-windows": (
        "Qwen3",
        {
            **BASE,
            **WINDOW,
            "head_dim": 4,
            "attention_bias": True,
            "use_sliding_window": True,
            "max_window_layers": 1,
        },
    ),
    "gemma2-caps-windows": (
        "Gemma2",
        {
            **BASE,
            **WINDOW,
            "num_key_value_heads": 2,
            "head_dim": 6,
            "query_pre_attn_scalar": 11,
            "attn_logit_softcapping": 2.0,
            "final_logit_softcapping": 3.0,
        },
    ),
    "gemma2-no-caps": (
        "Gemma2",
        {
            **BASE,
            "sliding_window": 7,
            "head_dim": 4,
            "attention_bias": True,
            "attn_logit_softcapping": None,
            "final_logit_softcapping": None,
        },
    ),
    "gemma3-two-ropes": (
        "Gemma3Text",
        {
            **BASE,
            **WINDOW,
            "num_hidden_layers": 4,
            "num_key_value_heads": 2,
            "head_dim": 6,
            "query_pre_attn_scalar": 9,
            "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 900.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 70.0},
            },
        },
    ),
    "gemma3-caps": (
        "Gemma3Text",
        {
            **BASE,
            **WINDOW,
            "head_dim": 4,
            "num_hidden_layers": 3,
            "sliding_window_pattern": 3,
            "attn_logit_softcapping": 3.0,
            "final_logit_softcapping": 4.0,
        },
    ),
    "gpt2-plain": ("GPT2", GPT2),
    "gpt2-head-size-7": (
        "GPT2",
        {**GPT2, "n_embd": 21, "n_head": 3, "scale_attn_by_inverse_layer_idx": True},
    ),
    "gpt2-untied-unscaled": (
        "GPT2",
        {**GPT2, "scale_attn_weights": False, "tie_word_embeddings": False, "activation_function": "relu"},
    ),
    "starcoder2-window": ("Starcoder2", {**BASE, **WINDOW, "num_key_value_heads": 2}),
    "starcoder2-no-bias": ("Starcoder2", {**BASE, "use_bias": False, "tie_word_embeddings": False}),
    "spark-all": ("Spark", SPARK),
    "spark-int8": ("Spark", SPARK),
    "spark-bare": ("Spark", {**SPARK, "smear_keys": False, "tag_embeddings": False, "layer_windows": None}),
}
STORED = {"llama-plain": torch.float32, "qwen2-gqa-tied": torch.float16}
"""The others are stored as bfloat16."""


def draw(
    name: str, shape: torch.Size, dtype: torch.dtype, generator: torch.Generator, around_zero: bool
) -> torch.Tensor:
    """Matrices keep the size of what they multiply, norms vary around what means "no change", biases are
    felt."""
    values = torch.randn(shape, generator=generator)
    if "smear" in name:
        pass
    elif "norm" in name or ".ln_" in name:
        values = values * 0.3 + (0.0 if around_zero or name.endswith("bias") else 1.0)
    elif values.ndim == 1:
        values = values * 0.3
    elif "embed" in name or "wte" in name or "wpe" in name:
        values = values * 0.5
    else:
        values = values * (1.4 / shape[-1] ** 0.5)
    return values.to(dtype)


def reference(
    kind: str, config: dict[str, Any], folder: Path, dtype: torch.dtype, seed: int
) -> tuple[Any, torch.Tensor]:
    """Write the checkpoint, and give its ids and logits."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, config["vocab_size"], (TOKENS,), generator=generator)
    if kind == "Spark":
        return ids, spark_reference(config, folder, generator, ids)
    settings = getattr(transformers, f"{kind}Config")(**config)
    suffix = "LMHeadModel" if kind == "GPT2" else "ForCausalLM"
    family = kind.removesuffix("Text")
    torch.manual_seed(seed)
    settings._attn_implementation = "eager"
    model = getattr(transformers, f"{family}{suffix}")(settings).float().eval()
    with torch.no_grad():
        for name, value in model.named_parameters():
            value.copy_(draw(name, value.shape, dtype, generator, kind.startswith("Gemma")))
    # The model itself stays in float32: converting it would round its rotary frequencies too.
    state = {name: value.to(dtype) for name, value in model.state_dict().items()}
    if settings.tie_word_embeddings:
        del state["lm_head.weight"]
    model.save_pretrained(folder, state_dict=state)
    with torch.no_grad():
        logits = model(ids[None]).logits[0]
    return ids, logits


def spark_shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    d, f, h = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    heads, keys = config["num_attention_heads"], config["num_key_value_heads"]
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (config["vocab_size"], d)}
    for layer in range(config["num_hidden_layers"]):
        part = {
            "input_layernorm": (d,),
            "self_attn.q_proj": (heads * h, d),
            "self_attn.k_proj": (keys * h, d),
            "self_attn.v_proj": (keys * h, d),
            "self_attn.o_proj": (d, heads * h),
            "self_attn.q_norm": (h,),
            "self_attn.k_norm": (h,),
            "post_attention_layernorm": (d,),
            "mlp.gate_proj": (f, d),
            "mlp.up_proj": (f, d),
            "mlp.down_proj": (d, f),
        }
        if config["smear_keys"]:
            part["self_attn.smear"] = (keys,)
        shapes.update({f"model.layers.{layer}.{name}.weight": shape for name, shape in part.items()})
    shapes["model.norm.weight"] = (d,)
    return shapes


def spark_reference(
    config: dict[str, Any], folder: Path, generator: torch.Generator, ids: torch.Tensor
) -> torch.Tensor:
    as_int8 = folder.name == "spark-int8"
    stored: dict[str, torch.Tensor] = {}
    weights: dict[str, torch.Tensor] = {}
    for name, shape in spark_shapes(config).items():
        value = draw(
            name, torch.Size(shape), torch.float32 if len(shape) == 1 else torch.bfloat16, generator, False
        )
        if as_int8 and value.ndim == 2:
            scale = value.float().abs().amax(1) / 127
            stored[name], stored[name + "_scale"] = (
                (value.float() / scale[:, None]).round().to(torch.int8),
                scale,
            )
            weights[name] = stored[name].float() * scale[:, None]
        else:
            stored[name], weights[name] = value, value.float()
    save_file(stored, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    # <file> path tag line tag line <gap> line tag line <instr> text tag text <out> <R> tag tag text <E>
    # <file> …: every rule of the tag state is met.
    layout = [
        2,
        40,
        41,
        53,
        42,
        43,
        54,
        44,
        22,
        45,
        55,
        46,
        3,
        40,
        54,
        44,
        4,
        5,
        53,
        54,
        45,
        6,
        2,
        47,
        53,
        48,
    ]
    ids.copy_(torch.tensor(layout))
    return spark_forward(config, weights, ids)


def spark_forward(
    config: dict[str, Any], weights: dict[str, torch.Tensor], ids: torch.Tensor
) -> torch.Tensor:
    """The formulas of the decision page, one row of it a line."""
    h, heads, keys = config["head_dim"], config["num_attention_heads"], config["num_key_value_heads"]
    rows = len(ids)

    def rms(x: torch.Tensor, name: str) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + config["rms_norm_eps"]) * weights[name]

    def turn(x: torch.Tensor) -> torch.Tensor:
        frequencies = config["rope_theta"] ** (-torch.arange(0, h, 2, dtype=torch.float32) / h)
        angles = torch.arange(rows, dtype=torch.float32)[:, None] * frequencies
        cos, sin = angles.cos()[:, None], angles.sin()[:, None]
        first, second = x[..., : h // 2], x[..., h // 2 :]
        return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)

    table = weights["model.embed_tokens.weight"]
    x = table[ids]
    if config["tag_embeddings"]:
        x = x + torch.stack(
            [table[tag] if tag >= 0 else torch.zeros_like(table[0]) for tag in spark_tags(config, ids)]
        )
    place = torch.arange(rows)
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        u = rms(x, at + "input_layernorm.weight")
        q = rms(
            (u @ weights[at + "self_attn.q_proj.weight"].T).view(rows, heads, h),
            at + "self_attn.q_norm.weight",
        )
        k = rms(
            (u @ weights[at + "self_attn.k_proj.weight"].T).view(rows, keys, h),
            at + "self_attn.k_norm.weight",
        )
        v = (u @ weights[at + "self_attn.v_proj.weight"].T).view(rows, keys, h)
        if config["smear_keys"]:
            share = torch.sigmoid(weights[at + "self_attn.smear.weight"])[:, None]
            k = torch.cat([k[:1], (1 - share) * k[1:] + share * k[:-1]])
        q, k = turn(q), turn(k)
        k, v = k.repeat_interleave(heads // keys, 1), v.repeat_interleave(heads // keys, 1)
        scores = torch.einsum("qhd,khd->hqk", q, k) * h**-0.5
        seen = place[:, None] >= place
        window = (config["layer_windows"] or [0] * 99)[layer]
        if window:
            seen = seen & (place[:, None] - place < window)
        mixed = torch.einsum("hqk,khd->qhd", scores.masked_fill(~seen, -torch.inf).softmax(-1), v)
        x = x + mixed.reshape(rows, -1) @ weights[at + "self_attn.o_proj.weight"].T
        m = rms(x, at + "post_attention_layernorm.weight")
        gate = torch.nn.functional.silu(m @ weights[at + "mlp.gate_proj.weight"].T)
        x = x + (gate * (m @ weights[at + "mlp.up_proj.weight"].T)) @ weights[at + "mlp.down_proj.weight"].T
    return rms(x, "model.norm.weight") @ table.T


def spark_tags(config: dict[str, Any], ids: torch.Tensor) -> list[int]:
    first, count, operators = config["tag_first_id"], config["tag_count"], config["operator_count"]
    in_file, tag, out = False, -1, []
    for token in ids.tolist():
        added = -1
        if token < operators:
            in_file, tag = token == 2 or (token == 22 and in_file), -1
        elif first <= token < first + count:
            tag = token if in_file else tag
        elif in_file:
            added = tag
        out.append(added)
    return out


def respell(case: str, folder: Path) -> None:
    """Three cases as other tools write them: sharded, older rope keys, the text half of a multimodal file."""
    config = json.loads((folder / "config.json").read_text())
    tensors = load_file(folder / "model.safetensors")
    if case == "llama-gqa-tied":
        (folder / "model.safetensors").unlink()
        weight_map = {
            name: f"model-{number % 2 + 1:05}-of-00002.safetensors"
            for number, name in enumerate(sorted(tensors))
        }
        for shard in sorted(set(weight_map.values())):
            save_file({name: tensors[name] for name in tensors if weight_map[name] == shard}, folder / shard)
        index = {"metadata": {}, "weight_map": weight_map}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1))
    if case in ("llama-rope-linear", "llama-rope-llama3", "llama-rope-yarn"):
        settings = config.pop("rope_parameters")
        config["rope_theta"] = settings.pop("rope_theta")
        config["rope_scaling"] = {
            ("type" if key == "rope_type" else key): value for key, value in settings.items()
        }
    if case == "gemma3-caps":
        settings = config.pop("rope_parameters")
        config["rope_theta"] = settings["full_attention"]["rope_theta"]
        config["rope_local_base_freq"] = settings["sliding_attention"]["rope_theta"]
        config.pop("layer_types")
        config["sliding_window_pattern"] = 3
    if case == "gemma3-two-ropes":
        config = {"model_type": "gemma3", "text_config": config}
        save_file(
            {f"language_model.{name}": value for name, value in tensors.items()}, folder / "model.safetensors"
        )
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def make(case: str) -> None:
    kind, config = CASES[case]
    folder = HERE / case
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dtype = STORED.get(case, torch.bfloat16)
    ids, logits = reference(kind, config, folder, dtype, zlib.crc32(case.encode()))
    respell(case, folder)
    for extra in folder.glob("generation_config.json"):
        extra.unlink()
    np.savez(
        folder / "golden.npz", ids=ids.numpy().astype(np.int32), logits=logits.numpy().astype(np.float32)
    )
    size = sum(p.stat().st_size for p in folder.iterdir())
    print(f"{case}: logits from {logits.min():.2f} to {logits.max():.2f}, {size} bytes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    for chosen in sys.argv[1:] or CASES:
        make(chosen)

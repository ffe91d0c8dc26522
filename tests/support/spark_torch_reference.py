"""The `spark` family in torch, written from docs/model-format.md: shapes and forward pass."""

from __future__ import annotations

from typing import Any

import torch


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

"""The forward pass written out as the formulas say it, in float64, one sequence at a time: what `Model` must
equal."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from spark_tui.engine.architecture import Arch, Rope, Tags
from spark_tui.engine.forward.rope import frequencies
from spark_tui.engine.kernels.panels import rows_are_exact
from spark_tui.engine.model_sizes import random_weights

TOLERANCE = 1e-4
TINY = Arch(
    family="llama",
    vocab_size=97,
    d_model=24,
    n_layers=3,
    n_heads=4,
    n_kv_heads=2,
    head_dim=8,
    d_ff=40,
    max_positions=512,
)
SPARK = replace(
    TINY,
    family="spark",
    qk_norm=True,
    smear=True,
    windows=(70, 0, 5),
    tags=Tags(first=80, count=17, ends=tuple(range(32))),
    eos_ids=(1,),
)
VARIANTS = {
    "llama": TINY,
    "spark": SPARK,
    "gpt2": replace(
        TINY,
        family="gpt2",
        n_kv_heads=4,
        norm="layer",
        activation="gelu_tanh",
        gated_mlp=False,
        learned_positions=True,
        ropes=(),
        bias_qkv=True,
        bias_o=True,
        bias_mlp=True,
        attn_scale_by_layer=True,
    ),
    "gemma": replace(
        TINY,
        family="gemma3",
        norm_offset=1.0,
        activation="gelu_tanh",
        ropes=(Rope(), Rope(kind="linear", theta=1e4, factor=4.0)),
        layer_ropes=(0, 1, 0),
        windows=(9, 0, 9),
        qk_norm=True,
        sandwich_norms=True,
        embed_scale=24**0.5,
        attn_scale=0.3,
        attn_softcap=3.0,
        final_softcap=2.0,
    ),
    "qwen2": replace(TINY, family="qwen2", bias_qkv=True, tied_head=False, activation="gelu"),
    "multi-head, odd sizes": replace(TINY, n_heads=3, n_kv_heads=3, head_dim=10, d_ff=33, vocab_size=131),
    "single key head": replace(TINY, n_kv_heads=1, activation="relu", windows=(3, 3, 3)),
    "partial rotary": replace(TINY, ropes=(Rope(rotary_dim=4),)),
    "no rotary": replace(TINY, layer_ropes=(-1, 0, -1)),
}


def tags_of(arch: Arch, ids: list[int]) -> list[int]:
    """docs/model-format.md, `Line tags`, as it is written there."""
    if arch.tags is None:
        return [-1] * len(ids)
    in_file, tag, out = False, -1, []
    for token in ids:
        add = -1
        if token == 2:
            in_file, tag = True, -1
        elif token == 22:
            tag = -1
        elif token < 32:
            in_file, tag = False, -1
        elif arch.tags.first <= token < arch.tags.first + arch.tags.count:
            if in_file:
                tag = token
        elif in_file and tag >= 0:
            add = tag
        out.append(add)
    return out


def forward(arch: Arch, weights: dict, ids: list[int]) -> np.ndarray:
    """Logits `[T, V]`."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    t = len(ids)
    x = w["embed.tok"][ids].copy()
    for row, tag in enumerate(tags_of(arch, ids)):
        if tag >= 0:
            x[row] += w["embed.tok"][tag]
    x *= arch.embed_scale
    if arch.learned_positions:
        x += w["embed.pos"][:t]

    def norm(v: np.ndarray, name: str) -> np.ndarray:
        if arch.norm == "layer":
            v = v - v.mean(-1, keepdims=True)
            v = v / np.sqrt((v * v).mean(-1, keepdims=True) + arch.norm_eps)
            return v * w[f"{name}.w"] + w[f"{name}.b"]
        return (
            v / np.sqrt((v * v).mean(-1, keepdims=True) + arch.norm_eps) * (w[f"{name}.w"] + arch.norm_offset)
        )

    def head_norm(v: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return v / np.sqrt((v * v).mean(-1, keepdims=True) + arch.norm_eps) * (weight + arch.norm_offset)

    def linear(v: np.ndarray, name: str) -> np.ndarray:
        return v @ w[name].T + w.get(f"{name}_b", 0)

    def act(v: np.ndarray) -> np.ndarray:
        if arch.activation == "silu":
            return v / (1 + np.exp(-v))
        if arch.activation == "relu":
            return np.maximum(v, 0)
        if arch.activation == "gelu":
            return v * 0.5 * (1 + np.vectorize(math.erf)(v / math.sqrt(2)))
        return 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))

    def rope(v: np.ndarray, layer: int) -> np.ndarray:
        kind = arch.rope_of(layer)
        if kind is None:
            return v
        inverse, scale = frequencies(kind, arch.head_dim, t)
        dim = 2 * inverse.size
        angle = np.arange(t)[:, None, None] * inverse.astype(np.float64)
        a, b, rest = v[..., : dim // 2], v[..., dim // 2 : dim], v[..., dim:]
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        return np.concatenate([a * cos - b * sin, b * cos + a * sin, rest], -1)

    for i in range(arch.n_layers):
        at = f"layers.{i}"
        u = norm(x, f"{at}.attn_norm")
        q = linear(u, f"{at}.attn.q").reshape(t, arch.n_heads, arch.head_dim)
        k = linear(u, f"{at}.attn.k").reshape(t, arch.n_kv_heads, arch.head_dim)
        v = linear(u, f"{at}.attn.v").reshape(t, arch.n_kv_heads, arch.head_dim)
        if arch.qk_norm:
            q, k = head_norm(q, w[f"{at}.attn.q_norm"]), head_norm(k, w[f"{at}.attn.k_norm"])
        if arch.smear:
            a = 1 / (1 + np.exp(-w[f"{at}.attn.smear"]))[:, None]
            mixed = k.copy()
            mixed[1:] = (1 - a) * k[1:] + a * k[:-1]
            k = mixed
        q, k = rope(q, i), rope(k, i)
        out = np.zeros((t, arch.n_heads, arch.head_dim))
        for h in range(arch.n_heads):
            scores = q[:, h] @ k[:, h // arch.group].T * arch.scale_of(i)
            if arch.attn_softcap:
                scores = np.tanh(scores / arch.attn_softcap) * arch.attn_softcap
            rows, keys = np.arange(t)[:, None], np.arange(t)[None]
            hidden = keys > rows
            if arch.window_of(i):
                hidden |= keys <= rows - arch.window_of(i)
            scores = np.where(hidden, -np.inf, scores)
            p = np.exp(scores - scores.max(-1, keepdims=True))
            out[:, h] = p / p.sum(-1, keepdims=True) @ v[:, h // arch.group]
        o = linear(out.reshape(t, -1), f"{at}.attn.o")
        x = x + (norm(o, f"{at}.attn_post_norm") if arch.sandwich_norms else o)
        m = norm(x, f"{at}.mlp_norm")
        inner = act(linear(m, f"{at}.mlp.gate")) * linear(m, f"{at}.mlp.up") if arch.gated_mlp else None
        if inner is None:
            inner = act(linear(m, f"{at}.mlp.up"))
        d = linear(inner, f"{at}.mlp.down")
        x = x + (norm(d, f"{at}.mlp_post_norm") if arch.sandwich_norms else d)
    x = norm(x, "final_norm")
    logits = x @ w["embed.tok" if arch.tied_head else "head.w"].T
    if arch.final_softcap:
        logits = np.tanh(logits / arch.final_softcap) * arch.final_softcap
    return logits


def weights_of(arch: Arch, seed: int = 0) -> dict:
    """Random weights, large enough that attention is not flat."""
    weights = random_weights(arch, seed)
    return {name: value * (1.5 if value.ndim == 2 else 1) for name, value in weights.items()}


def ids_of(arch: Arch, count: int, seed: int = 0) -> list[int]:
    """Random ids; for `spark` with file parts, tags and gaps among them."""
    generator = np.random.default_rng(seed)
    ids = generator.integers(0, arch.vocab_size, count)
    if arch.tags is not None:
        ids[generator.random(count) < 0.1] = 2
        ids[generator.random(count) < 0.2] = 81
        plain = generator.random(count) < 0.5
        ids[plain] = generator.integers(32, 80, int(plain.sum()))
    return [int(token) for token in ids]


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Bit for bit where this machine's kernels keep that promise, else within rounding."""
    if rows_are_exact():
        return bool(np.array_equal(a, b))
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0) < TOLERANCE)

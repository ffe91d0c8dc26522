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


class _Naive:
    """One formula after the other, in double precision."""

    def __init__(self, arch: Arch, weights: dict, length: int) -> None:
        self.arch, self.length = arch, length
        self.w = {name: value.astype(np.float64) for name, value in weights.items()}

    def embedded(self, ids: list[int]) -> np.ndarray:
        x = self.w["embed.tok"][ids].copy()
        for row, tag in enumerate(tags_of(self.arch, ids)):
            if tag >= 0:
                x[row] += self.w["embed.tok"][tag]
        x *= self.arch.embed_scale
        return x + self.w["embed.pos"][: self.length] if self.arch.learned_positions else x

    def norm(self, v: np.ndarray, name: str) -> np.ndarray:
        if self.arch.norm == "layer":
            v = v - v.mean(-1, keepdims=True)
            v = v / np.sqrt((v * v).mean(-1, keepdims=True) + self.arch.norm_eps)
            return v * self.w[f"{name}.w"] + self.w[f"{name}.b"]
        return self.rms_norm(v, self.w[f"{name}.w"])

    def rms_norm(self, v: np.ndarray, weight: np.ndarray) -> np.ndarray:
        size = np.sqrt((v * v).mean(-1, keepdims=True) + self.arch.norm_eps)
        return v / size * (weight + self.arch.norm_offset)

    def linear(self, v: np.ndarray, name: str) -> np.ndarray:
        return v @ self.w[name].T + self.w.get(f"{name}_b", 0)

    def act(self, v: np.ndarray) -> np.ndarray:
        match self.arch.activation:
            case "silu":
                return v / (1 + np.exp(-v))
            case "relu":
                return np.maximum(v, 0)
            case "gelu":
                return v * 0.5 * (1 + np.vectorize(math.erf)(v / math.sqrt(2)))
        return 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))

    def rope(self, v: np.ndarray, layer: int) -> np.ndarray:
        kind = self.arch.rope_of(layer)
        if kind is None:
            return v
        inverse, scale = frequencies(kind, self.arch.head_dim, self.length)
        dim = 2 * inverse.size
        angle = np.arange(self.length)[:, None, None] * inverse.astype(np.float64)
        a, b, rest = v[..., : dim // 2], v[..., dim // 2 : dim], v[..., dim:]
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        return np.concatenate([a * cos - b * sin, b * cos + a * sin, rest], -1)

    def attention(self, u: np.ndarray, layer: int) -> np.ndarray:
        arch, at, t = self.arch, f"layers.{layer}", self.length
        q = self.linear(u, f"{at}.attn.q").reshape(t, arch.n_heads, arch.head_dim)
        k = self.linear(u, f"{at}.attn.k").reshape(t, arch.n_kv_heads, arch.head_dim)
        v = self.linear(u, f"{at}.attn.v").reshape(t, arch.n_kv_heads, arch.head_dim)
        if arch.qk_norm:
            q = self.rms_norm(q, self.w[f"{at}.attn.q_norm"])
            k = self.rms_norm(k, self.w[f"{at}.attn.k_norm"])
        if arch.smear:
            a = 1 / (1 + np.exp(-self.w[f"{at}.attn.smear"]))[:, None]
            mixed = k.copy()
            mixed[1:] = (1 - a) * k[1:] + a * k[:-1]
            k = mixed
        q, k = self.rope(q, layer), self.rope(k, layer)
        out = np.zeros((t, arch.n_heads, arch.head_dim))
        for h in range(arch.n_heads):
            out[:, h] = self.shares(q[:, h] @ k[:, h // arch.group].T, layer) @ v[:, h // arch.group]
        return self.linear(out.reshape(t, -1), f"{at}.attn.o")

    def shares(self, products: np.ndarray, layer: int) -> np.ndarray:
        """How much each token looks at each before it."""
        arch = self.arch
        scores = products * arch.scale_of(layer)
        if arch.attn_softcap:
            scores = np.tanh(scores / arch.attn_softcap) * arch.attn_softcap
        rows, keys = np.arange(self.length)[:, None], np.arange(self.length)[None]
        hidden = keys > rows
        if arch.window_of(layer):
            hidden |= keys <= rows - arch.window_of(layer)
        scores = np.where(hidden, -np.inf, scores)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        return p / p.sum(-1, keepdims=True)

    def mlp(self, m: np.ndarray, layer: int) -> np.ndarray:
        at = f"layers.{layer}.mlp"
        if self.arch.gated_mlp:
            inner = self.act(self.linear(m, f"{at}.gate")) * self.linear(m, f"{at}.up")
        else:
            inner = self.act(self.linear(m, f"{at}.up"))
        return self.linear(inner, f"{at}.down")


def forward(arch: Arch, weights: dict, ids: list[int]) -> np.ndarray:
    """Logits `[T, V]`."""
    naive = _Naive(arch, weights, len(ids))
    x = naive.embedded(ids)
    for layer in range(arch.n_layers):
        at = f"layers.{layer}"
        o = naive.attention(naive.norm(x, f"{at}.attn_norm"), layer)
        x = x + (naive.norm(o, f"{at}.attn_post_norm") if arch.sandwich_norms else o)
        d = naive.mlp(naive.norm(x, f"{at}.mlp_norm"), layer)
        x = x + (naive.norm(d, f"{at}.mlp_post_norm") if arch.sandwich_norms else d)
    logits = naive.norm(x, "final_norm") @ naive.w["embed.tok" if arch.tied_head else "head.w"].T
    return np.tanh(logits / arch.final_softcap) * arch.final_softcap if arch.final_softcap else logits


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

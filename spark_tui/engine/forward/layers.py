"""One decoder layer prepared for execution: fused, folded and padded weights.

Folding happens once, at load time: norm weights into the matrices that follow them, the attention scale into
the queries, q, k and v into one matrix, gate and up into one. Head sizes are padded with zeros to a multiple
of 16, and the inner width to whole panels.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch, weight_shapes
from spark_tui.engine.forward.rope import RopeTable
from spark_tui.engine.kernels.panels import PANEL, Panels, release_mapped_pages, round_up
from spark_tui.engine.kernels.weight_strips import prepared
from spark_tui.engine.runtime.arena import Arena
from spark_tui.errors import MalformedInput

F32 = NDArray[np.float32]
Weights = MutableMapping[str, F32]


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm that could not be folded away: `weight` already has its offset."""

    weight: F32
    bias: F32 | None


@dataclass(frozen=True, slots=True)
class Layer:
    """What one layer multiplies with. Head blocks are `[heads, 1, head]`, padded."""

    before_attention: Norm | None
    qkv: Panels
    qkv_bias: F32 | None
    qk_weight: F32 | None
    smear: F32 | None
    o: Panels
    o_bias: F32 | None
    after_attention: Norm | None
    before_mlp: Norm | None
    gate_up: Panels
    gate_up_bias: F32 | None
    down: Panels
    down_bias: F32 | None
    after_mlp: Norm | None
    rope: RopeTable | None
    window: int

    def vectors(self) -> list[F32]:
        """All that is added or multiplied besides the matrices."""
        norms = [self.before_attention, self.after_attention, self.before_mlp, self.after_mlp]
        parts = [part for norm in norms if norm is not None for part in (norm.weight, norm.bias)]
        parts += [self.qkv_bias, self.qk_weight, self.smear, self.o_bias, self.gate_up_bias, self.down_bias]
        return [part for part in parts if part is not None]


def check_shapes(arch: Arch, weights: Weights) -> None:
    """Refuse a model of which a weight is missing or has another shape."""
    for name, shape in weight_shapes(arch).items():
        if name not in weights:
            raise MalformedInput(f"the weight {name} is missing", where=arch.name or arch.family)
        if tuple(weights[name].shape) != shape:
            found = list(weights[name].shape)
            raise MalformedInput(f"{name} has the shape {found}, expected {list(shape)}", where=arch.family)


def take(weights: Weights, name: str) -> F32:
    """A weight as float32. It is removed from the dictionary, which can free its memory."""
    return np.asarray(weights.pop(name), np.float32)


def read_norm(arch: Arch, weights: Weights, name: str) -> Norm:
    weight = take(weights, f"{name}.w")
    if arch.norm_offset:
        weight = weight + np.float32(arch.norm_offset)
    bias = take(weights, f"{name}.b") if arch.norm == "layer" else None
    return Norm(weight, bias)


def normalize(arch: Arch, x: F32, out: F32, squares: F32) -> None:
    """`out = x / rms(x)`, or centred first: weights and biases are folded into what follows. `[R, D]`."""
    if arch.norm == "layer":
        np.add.reduce(x, axis=-1, out=squares)
        squares *= np.float32(1 / x.shape[-1])
        np.subtract(x, squares[:, None], out=out)
        x = out
    np.vecdot(x, x, out=squares)
    squares *= np.float32(1 / x.shape[-1])
    squares += np.float32(arch.norm_eps)
    np.sqrt(squares, out=squares)
    np.divide(x, squares[:, None], out=out)


def normalize_with(arch: Arch, norm: Norm, x: F32, out: F32, squares: F32) -> None:
    """The same with a weight and a bias."""
    normalize(arch, x, out, squares)
    out *= norm.weight
    if norm.bias is not None:
        out += norm.bias


def _folded(norm: Norm, matrix: F32, bias: F32 | None, factor: float = 1.0) -> tuple[F32, F32 | None]:
    """`factor * (matrix @ (x * weight + norm bias) + bias)` as one matrix and one bias."""
    if norm.bias is not None:
        extra = matrix @ norm.bias
        bias = extra if bias is None else bias + extra
    return matrix * (norm.weight * np.float32(factor)), None if bias is None else bias * np.float32(factor)


def _pad_heads(matrix: F32, heads: int, head: int) -> F32:
    """Rows `[heads * dim, ...]` with each head padded to `head` rows."""
    dim = matrix.shape[0] // heads
    if dim == head:
        return matrix
    out = np.zeros((heads, head, *matrix.shape[1:]), np.float32)
    out[:, :dim] = matrix.reshape(heads, dim, *matrix.shape[1:])
    return out.reshape(heads * head, *matrix.shape[1:])


def build_layer(
    arch: Arch, weights: Weights, index: int, head: int, rope: RopeTable | None, arena: Arena, *, fold: bool
) -> Layer:
    """Read, fold and pad layer `index`. Without `fold` RMS weights stay separate and matrices keep the rows
    of the file, so that int8 files are not rounded a second time.
    """
    at = f"layers.{index}"
    fold = fold or arch.norm == "layer"
    plain = Norm(np.ones(arch.d_model, np.float32), None)

    def get(name: str) -> F32:
        return take(weights, f"{at}.{name}")

    def optional(name: str, wanted: bool) -> F32 | None:
        return get(name) if wanted else None

    before_attention = read_norm(arch, weights, f"{at}.attn_norm")
    norm = before_attention if fold else plain
    scale = np.float32(arch.scale_of(index))
    pieces, biases = [], []
    for key, heads in (("q", arch.n_heads), ("k", arch.n_kv_heads), ("v", arch.n_kv_heads)):
        factor = float(scale) if key == "q" and not arch.qk_norm else 1.0
        source = get(f"attn.{key}")
        matrix, bias = _folded(norm, source, optional(f"attn.{key}_b", arch.bias_qkv), factor)
        release_mapped_pages(source)
        pieces.append(_pad_heads(matrix, heads, head))
        biases.append(None if bias is None else _pad_heads(bias, heads, head))
    qkv = prepared(np.concatenate(pieces), panel=head, own=True, arena=arena)
    qkv_bias = None
    if biases[0] is not None:
        qkv_bias = np.concatenate([bias for bias in biases if bias is not None]).reshape(-1, 1, head)
    qk_weight = None
    if arch.qk_norm:
        offset = np.float32(arch.norm_offset)
        qk_weight = np.zeros((arch.n_heads + arch.n_kv_heads, 1, head), np.float32)
        qk_weight[: arch.n_heads, 0, : arch.head_dim] = (get("attn.q_norm") + offset) * scale
        qk_weight[arch.n_heads :, 0, : arch.head_dim] = get("attn.k_norm") + offset
    smear = None
    if arch.smear:
        smear = (1 / (1 + np.exp(-get("attn.smear").astype(np.float64)))).astype(np.float32).reshape(-1, 1, 1)

    o = get("attn.o")
    o_panels = prepared(
        np.ascontiguousarray(_pad_heads(np.ascontiguousarray(o.T), arch.n_heads, head).T),
        own=True,
        arena=arena,
    )
    release_mapped_pages(o)
    before_mlp = read_norm(arch, weights, f"{at}.mlp_norm")
    norm = before_mlp if fold else plain
    inner = round_up(arch.d_ff, PANEL)
    pieces, biases = [], []
    for key in ("gate", "up") if arch.gated_mlp else ("up",):
        source = get(f"mlp.{key}")
        matrix, bias = _folded(norm, source, optional(f"mlp.{key}_b", arch.bias_mlp))
        release_mapped_pages(source)
        pieces.append(_pad_heads(matrix, 1, inner))
        biases.append(None if bias is None else _pad_heads(bias, 1, inner))
    gate_up = prepared(np.concatenate(pieces), own=True, arena=arena)
    del pieces, matrix, source
    gate_up_bias = None
    if biases[0] is not None:
        gate_up_bias = np.concatenate([bias for bias in biases if bias is not None])
        gate_up_bias = gate_up_bias.reshape(-1, 1, gate_up.panel)
    down = get("mlp.down")
    if inner != arch.d_ff:
        down = np.ascontiguousarray(np.pad(down, ((0, 0), (0, inner - arch.d_ff))))
    down_panels = prepared(down, arena=arena)
    release_mapped_pages(down)
    return Layer(
        before_attention=None if fold else before_attention,
        qkv=qkv,
        qkv_bias=qkv_bias,
        qk_weight=qk_weight,
        smear=smear,
        o=o_panels,
        o_bias=optional("attn.o_b", arch.bias_o),
        after_attention=read_norm(arch, weights, f"{at}.attn_post_norm") if arch.sandwich_norms else None,
        before_mlp=None if fold else before_mlp,
        gate_up=gate_up,
        gate_up_bias=gate_up_bias,
        down=down_panels,
        down_bias=optional("mlp.down_b", arch.bias_mlp),
        after_mlp=read_norm(arch, weights, f"{at}.mlp_post_norm") if arch.sandwich_norms else None,
        rope=rope,
        window=arch.window_of(index),
    )


def score_bound(arch: Arch, layer: Layer) -> float:
    """No attention score of this layer is larger: with normed queries and keys it follows from their
    weights."""
    if layer.qk_weight is None or (layer.rope is not None and layer.rope.rope.kind in ("yarn", "longrope")):
        return float("inf")
    q, k = layer.qk_weight[: arch.n_heads], layer.qk_weight[arch.n_heads :]
    return arch.head_dim * float(np.abs(q).max()) * float(np.abs(k).max())

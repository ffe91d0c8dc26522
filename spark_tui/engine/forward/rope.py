"""Rotary position embeddings of every kind that checkpoints name: inverse frequencies, cosines and sines.

Angles are float32 products of a float32 position and a float32 frequency, because the checkpoints were
trained with exactly that rounding.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Rope
from spark_tui.errors import Misfit

F32 = NDArray[np.float32]
STRETCH = 512
KEPT = 32
"""Stretches of positions held at a time: 16,384 positions, where a table of all 128k takes 67 MB."""


def _base(theta: float, dim: int) -> F32:
    exponent = np.arange(0, dim, 2, dtype=np.float32) / np.float32(dim)
    base: F32 = (1.0 / np.power(np.float32(theta), exponent)).astype(np.float32)
    return base


def _default(rope: Rope, dim: int, _length: int) -> tuple[F32, float]:
    return _base(rope.theta, dim), 1.0


def _linear(rope: Rope, dim: int, _length: int) -> tuple[F32, float]:
    return _base(rope.theta, dim) / np.float32(rope.factor or 1.0), 1.0


def _dynamic(rope: Rope, dim: int, length: int) -> tuple[F32, float]:
    factor, longest = rope.factor or 1.0, max(rope.max_positions, 1)
    stretch = factor * max(length, longest) / longest - (factor - 1)
    return _base(rope.theta * stretch ** (dim / (dim - 2)), dim), 1.0


def _yarn(rope: Rope, dim: int, _length: int) -> tuple[F32, float]:
    original = rope.original_max_positions or rope.max_positions
    factor = rope.factor or rope.max_positions / original

    def mscale(weight: float) -> float:
        return 1.0 if factor <= 1 else 0.1 * weight * math.log(factor) + 1.0

    if rope.attention_factor is not None:
        attention = rope.attention_factor
    elif rope.mscale and rope.mscale_all_dim:
        attention = mscale(rope.mscale) / mscale(rope.mscale_all_dim)
    else:
        attention = mscale(1.0)

    def dimension_of(turns: float) -> float:
        return dim * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(rope.theta))

    low, high = dimension_of(rope.beta_fast or 32), dimension_of(rope.beta_slow or 1)
    if rope.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(dim // 2, dtype=np.float32) - np.float32(low)) / np.float32(high - low), 0, 1)
    plain = _base(rope.theta, dim)
    mixed = plain / np.float32(factor) * ramp + plain * (1 - ramp)
    return mixed.astype(np.float32), float(attention)


def _llama3(rope: Rope, dim: int, _length: int) -> tuple[F32, float]:
    original = rope.original_max_positions or rope.max_positions
    factor, low, high = rope.factor or 1.0, rope.low_freq_factor, rope.high_freq_factor
    plain = _base(rope.theta, dim)
    wavelength = 2 * math.pi / plain
    smooth = (original / wavelength - low) / (high - low)
    between = (1 - smooth) * plain / factor + smooth * plain
    out = np.where(
        wavelength > original / low, plain / factor, np.where(wavelength < original / high, plain, between)
    )
    return out.astype(np.float32), 1.0


def _longrope(rope: Rope, dim: int, length: int) -> tuple[F32, float]:
    original = rope.original_max_positions or rope.max_positions
    factor = rope.factor or rope.max_positions / original
    if rope.attention_factor is not None:
        attention = rope.attention_factor
    else:
        attention = 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original))
    stretch = np.array(rope.long_factor if length > original else rope.short_factor, dtype=np.float32)
    if stretch.shape != (dim // 2,):
        raise Misfit(
            f"longrope gives {stretch.size} factors for {dim // 2} frequencies", where="rope_scaling"
        )
    exponent = np.arange(0, dim, 2, dtype=np.float32) / np.float32(dim)
    return (1.0 / (stretch * np.power(np.float32(rope.theta), exponent))).astype(np.float32), float(attention)


_KINDS = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "llama3": _llama3,
    "longrope": _longrope,
}


def frequencies(rope: Rope, head_dim: int, length: int = 0) -> tuple[F32, float]:
    """Inverse frequencies `[dim / 2]` and the factor on cosine and sine, for a sequence of `length`."""
    try:
        with np.errstate(all="ignore"):
            inverse, scale = _KINDS[rope.kind](rope, rope.rotary_dim or head_dim, length)
    except (ValueError, ArithmeticError):
        inverse, scale = np.empty(0, np.float32), math.nan
    if not (np.isfinite(inverse).all() and math.isfinite(scale)):
        raise Misfit(
            f"the settings of {rope.kind} rope, with theta {rope.theta:g}, give angles that are not numbers",
            where="rope_scaling",
        )
    return inverse, scale


def regime(rope: Rope, length: int) -> int:
    """A number that is equal for two lengths exactly when their angles are: 0 up to the trained length."""
    if rope.kind == "dynamic":
        return length if length > rope.max_positions else 0
    if rope.kind == "longrope":
        return int(length > (rope.original_max_positions or rope.max_positions))
    return 0


class RopeTable:
    """Cosines and sines of positions, computed in ranges on demand; only the latest range is kept.

    `rows(start, stop, planned)` gives `cos` and `sin`, `[stop - start, dim]`; `sin` carries the sign of the
    half it multiplies, so that the rotation is `x * cos + swap_halves(x) * sin`. For the kinds whose angles
    depend on the length of the sequence, row `t` is rotated as in a sequence of `max(t + 1, planned)` tokens,
    `planned` being the length of the prompt that was read in one go: a row's result does not depend on how
    passes were split.
    """

    def __init__(self, rope: Rope, head_dim: int) -> None:
        self.rope = rope
        self.dim = rope.rotary_dim or head_dim
        self._head_dim = head_dim
        frequencies(rope, head_dim, rope.max_positions)  # settings that make none are refused at once
        self._held: OrderedDict[tuple[int, int], tuple[F32, F32]] = OrderedDict()
        """By regime and stretch; the most recently used last."""

    def _fill(self, start: int, stop: int, length: int) -> tuple[F32, F32]:
        inverse, scale = frequencies(self.rope, self._head_dim, length)
        angles = np.arange(start, stop, dtype=np.float32)[:, None] * inverse  # [n, dim / 2]
        cos, sin = np.cos(angles.astype(np.float64)) * scale, np.sin(angles.astype(np.float64)) * scale
        return np.hstack([cos, cos]).astype(np.float32), np.hstack([-sin, sin]).astype(np.float32)

    def _stretch(self, key: int, index: int, length: int) -> tuple[F32, F32]:
        held = self._held.get((key, index))
        if held is None:
            held = self._held[key, index] = self._fill(index * STRETCH, (index + 1) * STRETCH, length)
            if len(self._held) > KEPT:
                self._held.popitem(last=False)
        else:
            self._held.move_to_end((key, index))
        return held

    def _same(self, key: int, start: int, stop: int, length: int) -> tuple[F32, F32]:
        """Rows of one regime."""
        first, last = start // STRETCH, (stop - 1) // STRETCH
        pieces = []
        for index in range(first, last + 1):
            cos, sin = self._stretch(key, index, length)
            low, high = max(start - index * STRETCH, 0), min(stop - index * STRETCH, STRETCH)
            pieces.append((cos[low:high], sin[low:high]))
        return _joined(pieces)

    def rows(self, start: int, stop: int, planned: int = 0) -> tuple[F32, F32]:
        """See the class."""
        if not self.rope.depends_on_length:
            return self._same(0, start, stop, stop)
        pieces: list[tuple[F32, F32]] = []
        at = start
        while at < stop:
            length = max(at + 1, planned)
            key = regime(self.rope, length)
            if self.rope.kind == "dynamic" and key > 0 and length == at + 1:  # angles of this row alone
                pieces.append(self._fill(at, at + 1, length))
                at += 1
                continue
            end = at + 1
            while end < stop and regime(self.rope, max(end + 1, planned)) == key:
                end += 1
            pieces.append(self._same(key, at, end, length))
            at = end
        return _joined(pieces)


def _joined(pieces: list[tuple[F32, F32]]) -> tuple[F32, F32]:
    if len(pieces) == 1:
        return pieces[0]
    return np.vstack([cos for cos, _ in pieces]), np.vstack([sin for _, sin in pieces])


def turn_heads(x: F32, cos: F32, sin: F32, scratch: F32) -> None:
    """Rotate heads `[heads, R, h]` in place by the angles of their rows `[R, rotated]`."""
    rows, dim = cos.shape
    if dim != x.shape[-1]:
        x, scratch = x[..., :dim], scratch[..., :dim]
    halves = x.reshape(*x.shape[:2], 2, dim // 2) if x.flags.c_contiguous else None
    if halves is None:
        half = dim // 2
        np.multiply(x[..., half:], sin[:, :half], out=scratch[..., :half])
        np.multiply(x[..., :half], sin[:, half:], out=scratch[..., half:])
    else:
        np.multiply(
            halves[:, :, ::-1], sin.reshape(rows, 2, dim // 2), out=scratch.reshape(*x.shape[:2], 2, dim // 2)
        )
    x *= cos
    x += scratch

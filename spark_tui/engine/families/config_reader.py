"""Typed reading of a `config.json`, both spellings of the rope settings included.

A missing or invalid value raises an error that names its key; nothing is guessed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, TypeVar, cast, get_args

from spark_tui.engine.architecture import Activation, Rope, RopeKind
from spark_tui.errors import MalformedInput, Misfit

T = TypeVar("T")
ROPE_KINDS: tuple[str, ...] = get_args(RopeKind)
MAX_LAYERS = 10_000
"""Everything that is built for each layer would otherwise fill the memory before a weight is missed."""
MAX_INTEGER = (1 << 53) - 1
"""Products of sizes are compared with bytes as floats."""
MAX_STRETCH = 1_000_000
"""The largest factor that a rope stretches a window by."""
_ACTIVATIONS: dict[str, Activation] = {
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
}


class ModelConfig:
    """A configuration whose values are checked as they are read. `where` names the file in errors."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values = values
        self.where = where

    def error(self, what: str, hint: str = "") -> MalformedInput:
        return MalformedInput(what, where=self.where, hint=hint)

    def has(self, key: str) -> bool:
        return self.values.get(key) is not None

    def integer(self, key: str, default: int | None = None) -> int:
        value = self.values.get(key)
        if value is None:
            if default is None:
                raise self.error(f"{key} is missing")
            return default
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_INTEGER:
            raise self.error(f"{key} is {value!r:.40}, expected a whole number")
        return value

    def layers(self, key: str = "num_hidden_layers", default: int | None = None) -> int:
        count = self.integer(key, default)
        if not 0 < count <= MAX_LAYERS:
            raise self.error(f"{key} is {count}, expected 1 to {MAX_LAYERS:,}")
        return count

    def window(self, default: int) -> int:
        """`sliding_window`: if absent, the family's default; null means no window (0)."""
        return default if "sliding_window" not in self.values else self.integer("sliding_window", 0)

    def number(self, key: str, default: float) -> float:
        value = self.values.get(key)
        return default if value is None else self._number(key, value)

    def optional_number(self, key: str, default: float | None = None) -> float | None:
        """If absent, the default; an explicit null is None."""
        value = self.values.get(key, default)
        return None if value is None else self._number(key, value)

    def _number(self, key: str, value: object) -> float:
        # Compared, not converted: a whole number may be too large for a float.
        finite = isinstance(value, (int, float)) and abs(value) <= sys.float_info.max
        if isinstance(value, bool) or not finite:
            raise self.error(f"{key} is {value!r}, expected a number")
        return float(cast(float, value))

    def flag(self, key: str, default: bool) -> bool:
        return self._read(key, default, bool, "true or false")

    def text(self, key: str, default: str = "") -> str:
        return self._read(key, default, str, "text")

    def numbers(self, key: str) -> tuple[float, ...]:
        values = self._read(key, list[object](), list, "a list of numbers")
        return tuple(self._number(key, item) for item in values)

    def ids(self, key: str) -> tuple[int, ...]:
        """One token id or a list of them; empty if absent."""
        value = self.values.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, int) and not isinstance(item, bool) and item >= 0 for item in items):
            raise self.error(f"{key} is {value!r}, expected a token id or a list of them")
        return tuple(items)

    def section(self, key: str) -> ModelConfig:
        """A nested object; absent is empty."""
        empty: Mapping[str, Any] = {}
        return ModelConfig(self._read(key, empty, Mapping, "an object"), f"{self.where} ({key})")

    def _read(self, key: str, default: T, kind: type, what: str) -> T:
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, kind):
            raise self.error(f"{key} is {value!r}, expected {what}")
        return cast(T, value)

    def activation(self, key: str, default: str) -> Activation:
        name = self.text(key, default)
        if name not in _ACTIVATIONS:
            raise Misfit(
                f"{key} is {name!r}, which is not supported",
                where=self.where,
                hint=f"Supported: {', '.join(_ACTIVATIONS)}.",
            )
        return _ACTIVATIONS[name]

    def layer_types(self, n_layers: int) -> tuple[str, ...]:
        """`layer_types` where the file has it, else empty."""
        value = self.values.get("layer_types")
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) != n_layers:
            raise self.error(
                f"layer_types names {len(value) if isinstance(value, list) else 0} layers of {n_layers}"
            )
        for name in value:
            if name not in ("full_attention", "sliding_attention"):
                raise Misfit(f"a layer of type {name!r} is not supported", where=self.where)
        return tuple(value)


def read_rope(settings: ModelConfig, *, head_dim: int, max_positions: int) -> Rope:
    """The rope settings of a model whose layers all share them, in either spelling.

    Newer files keep everything under `rope_parameters`; older ones have `rope_theta` and a separate
    `rope_scaling` whose kind may be called `type`.
    """
    key = "rope_parameters" if settings.has("rope_parameters") else "rope_scaling"
    return rope_from(
        settings.section(key),
        theta=settings.number("rope_theta", 10_000.0),
        head_dim=head_dim,
        max_positions=max_positions,
        original=settings.integer("original_max_position_embeddings", 0),
        partial=settings.number("partial_rotary_factor", 1.0),
    )


def rope_from(
    part: ModelConfig,
    *,
    theta: float,
    head_dim: int,
    max_positions: int,
    original: int = 0,
    partial: float = 1.0,
) -> Rope:
    """One rope from one object; `theta`, `original` and `partial` are what holds when it is silent."""
    nested = [key for key, value in part.values.items() if isinstance(value, Mapping)]
    if nested:
        raise Misfit(
            f"rope settings by layer type ({', '.join(nested)}) are not supported here", where=part.where
        )
    kind = part.text("rope_type", part.text("type", "default"))
    if kind not in ROPE_KINDS:
        raise Misfit(
            f"rope_type {kind!r} is not supported",
            where=part.where,
            hint=f"Supported: {', '.join(ROPE_KINDS)}.",
        )
    share = part.number("partial_rotary_factor", partial)
    turned = int(head_dim * share)
    if turned <= 0:
        raise part.error(f"partial_rotary_factor is {share:g}, which turns no dimension of {head_dim}")
    factor = part.optional_number("factor")
    if factor is not None and not 0 < factor <= MAX_STRETCH:
        raise part.error(f"factor is {factor:g}, expected a number above 0 and up to {MAX_STRETCH:,}")
    if kind in ("linear", "dynamic", "llama3") and factor is None:
        raise part.error(f"rope_type {kind} needs a factor")
    short, long = part.numbers("short_factor"), part.numbers("long_factor")
    if kind == "longrope":
        for name, factors in (("short_factor", short), ("long_factor", long)):
            if len(factors) != turned // 2:
                raise part.error(f"{name} has {len(factors)} entries, expected {turned // 2}")
    return Rope(
        kind=cast(RopeKind, kind),
        theta=part.number("rope_theta", theta),
        rotary_dim=0 if turned == head_dim else turned,
        factor=factor,
        max_positions=max_positions,
        # A length beside the rope settings wins over one inside them, as in the files that have both.
        original_max_positions=original or part.integer("original_max_position_embeddings", max_positions),
        attention_factor=part.optional_number("attention_factor"),
        beta_fast=part.number("beta_fast", 32.0) or 32.0,
        beta_slow=part.number("beta_slow", 1.0) or 1.0,
        mscale=part.optional_number("mscale"),
        mscale_all_dim=part.optional_number("mscale_all_dim"),
        truncate=part.flag("truncate", True),
        low_freq_factor=part.number("low_freq_factor", 1.0),
        high_freq_factor=part.number("high_freq_factor", 4.0),
        short_factor=short,
        long_factor=long,
    )


def longest(max_positions: int, rope: Rope) -> int:
    """The tokens that a yarn window may hold: files name the length that it stretches, or the stretched
    one."""
    if rope.kind == "yarn":
        return max(max_positions, int(rope.original_max_positions * (rope.factor or 1.0)))
    return max_positions

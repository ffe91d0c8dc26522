"""Named model sizes with random weights, for benchmarks and tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch, Rope, Tags, weight_shapes
from spark_tui.errors import UsageError
from spark_tui.tables import read_table

SPARK_TAGS = Tags(first=8192, count=512, ends=tuple(range(32)))
_TABLE: dict[str, dict[str, dict[str, Any]]] = read_table(__file__, "model_sizes.toml")


def _arch(name: str, row: dict[str, Any]) -> Arch:
    merged = {**_TABLE["bases"].get(row.get("base", ""), {}), **row, "name": name}
    merged.pop("base", None)
    if "rope_theta" in merged:
        merged["ropes"] = (Rope(theta=merged.pop("rope_theta")),)
    if merged["family"] == "spark":
        merged["tags"] = SPARK_TAGS
    fields: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in merged.items()}
    return Arch(**fields)


SIZES = {name: _arch(name, row) for name, row in _TABLE["sizes"].items()}


def size(name: str) -> Arch:
    """The architecture of a named size."""
    if name not in SIZES:
        raise UsageError(f"unknown size {name!r}", hint=f"Sizes: {', '.join(SIZES)}.")
    return SIZES[name]


def random_weights(arch: Arch, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Weights of a plausible scale: matrices `N(0, 1/in)`, norms near their neutral value."""
    generator = np.random.default_rng(seed)
    weights: dict[str, NDArray[np.float32]] = {}
    for name, shape in weight_shapes(arch).items():
        values = generator.standard_normal(shape, dtype=np.float32)
        if len(shape) == 2:
            values *= np.float32((1 / shape[-1]) ** 0.5)
        else:
            values *= np.float32(0.1)
            if name.endswith(("norm.w", "q_norm", "k_norm")):
                values += np.float32(1 - arch.norm_offset)
        weights[name] = values
    return weights

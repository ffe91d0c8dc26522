"""Where a file keeps each canonical weight: what a family calls the modules, and how it lays them out.

Shapes follow from `architecture.weight_shapes`; only gpt2 joins its queries, keys and values, and turns its
matrices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spark_tui.engine.architecture import Arch, weight_shapes
from spark_tui.tables import read_table

_KEY = re.compile(r"(?:layers\.(\d+)\.)?(.+?)(\.w|[._]b)?")
"""A canonical name: its layer, its module, and whether it is a norm's weight or a bias."""


@dataclass(frozen=True, slots=True)
class TensorSource:
    """The source of one canonical weight: a tensor of the file, optionally transposed or cut to some of its
    rows.

    `shape` is the tensor's shape *in the file*. Rows are cut after transposing, so that gpt2's fused `[d,
    3d]` matrix is read as `[3d, d]` and its three thirds become q, k and v.
    """

    name: str
    shape: tuple[int, ...]
    transpose: bool = False
    rows: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TensorNames:
    """`modules` by their canonical names, those of a layer without `layers.I.`. All names but that of the
    head begin with `stem`."""

    modules: Mapping[str, str]
    stem: str = "model."
    layers: str = "layers"
    transposed: bool = False
    """Matrices of layers are stored as `[in, out]`."""

    def sources(self, arch: Arch) -> dict[str, TensorSource]:
        """The source of every weight of this architecture."""
        return {key: self._source(key, shape) for key, shape in weight_shapes(arch).items()}

    def _source(self, key: str, shape: tuple[int, ...]) -> TensorSource:
        found = _KEY.fullmatch(key)
        assert found is not None
        layer, module, kind = found.groups()
        rows = None
        if "attn.qkv" in self.modules and module in ("attn.q", "attn.k", "attn.v"):
            third, size = "qkv".index(module[-1]), shape[0]
            module, rows = "attn.qkv", (third * size, (third + 1) * size)
            shape = (3 * size, *shape[1:])
        turned = self.transposed and layer is not None and len(shape) == 2
        name = self.modules[module] + (".bias" if kind in (".b", "_b") else ".weight")
        if layer is not None:
            name = f"{self.layers}.{layer}.{name}"
        stem = "" if module == "head" else self.stem
        return TensorSource(stem + name, shape[::-1] if turned else shape, turned, rows)


_TABLES: dict[str, dict[str, Any]] = read_table(__file__, "tensor_names.toml")


def _named(name: str) -> dict[str, Any]:
    """A table, on top of its base."""
    row = _TABLES[name]
    base = _named(row["base"]) if "base" in row else {"modules": {}}
    rest = {key: value for key, value in row.items() if key != "base"}
    return {**base, **rest, "modules": {**base["modules"], **row["modules"]}}


LLAMA, GEMMA, STARCODER2, GPT2, GGUF, GGUF_GPT2 = (
    TensorNames(**_named(name)) for name in ("llama", "gemma", "starcoder2", "gpt2", "gguf", "gguf_gpt2")
)

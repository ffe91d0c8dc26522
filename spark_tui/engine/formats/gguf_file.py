"""One GGUF file: its metadata, and its tensors as float32.

Every length in the header is checked against the file's size before use, so a corrupt count raises an error
instead of looping. The `gguf` package (extra `gguf`) decodes the quantized blocks.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spark_tui.engine.formats.weights import TensorEntry
from spark_tui.errors import MalformedInput, Misfit, NoBackend, install_command

MAGIC = b"GGUF"
VERSIONS = (2, 3)
TYPES = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    6: "Q5_0",
    7: "Q5_1",
    8: "Q8_0",
    10: "Q2_K",
    11: "Q3_K",
    12: "Q4_K",
    13: "Q5_K",
    14: "Q6_K",
    20: "IQ4_NL",
    23: "IQ4_XS",
    30: "BF16",
}
"""The number of each tensor type that is read. The block sizes come from the package."""
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_DIMENSIONS = 4
_DEFAULT_ALIGNMENT = 32
_CHUNK_ROWS_BYTES = 1 << 24


class GgufFile:
    """A checked, mapped file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._data: npt.NDArray[np.uint8] = np.memmap(path, mode="r", dtype=np.uint8)
        except (OSError, ValueError) as error:
            raise MalformedInput(f"cannot be mapped ({error})", where=str(path)) from error
        reader = _Reader(self._data, path)
        if reader.take(4) != MAGIC:
            raise reader.bad("is not a GGUF file")
        version = reader.number("I")
        if version not in VERSIONS:
            raise Misfit(
                f"GGUF version {version} is not supported", where=str(path), hint="Supported: 2 and 3."
            )
        tensors, keys = reader.number("Q"), reader.number("Q")
        self.metadata: dict[str, Any] = {}
        for _ in range(keys):
            key = reader.text()
            self.metadata[key] = reader.value(reader.number("I"))
        self.tensors = _tensors(reader, tensors, self.metadata)

    def read(self, name: str) -> npt.NDArray[np.float32]:
        """A tensor as float32; F32 stays mapped where it is aligned."""
        tensor = self.tensors[name]
        raw = np.asarray(self._data)[tensor.begin : tensor.end]
        if tensor.dtype == "F32":
            mapped = raw.view("<f4")
            return (mapped if mapped.flags.aligned else mapped.copy()).reshape(tensor.shape)
        package = package_or_hint()
        kind = package.GGMLQuantizationType[tensor.dtype]
        rows = raw.reshape(math.prod(tensor.shape[:-1]), -1)
        out = np.empty((rows.shape[0], tensor.shape[-1]), np.float32)
        step = max(1, _CHUNK_ROWS_BYTES // (tensor.shape[-1] * 4))
        for start in range(0, rows.shape[0], step):
            out[start : start + step] = package.quants.dequantize(
                np.ascontiguousarray(rows[start : start + step]), kind
            )
        return out.reshape(tensor.shape)


def package_or_hint() -> Any:
    """The `gguf` package, or how to get it."""
    try:
        import gguf
    except ImportError as error:
        raise NoBackend("reading GGUF needs the gguf package", hint=install_command("gguf")) from error
    return gguf


def _tensors(reader: _Reader, count: int, metadata: dict[str, Any]) -> dict[str, TensorEntry]:
    found = []
    for _ in range(count):
        name, dimensions = reader.text(), reader.number("I")
        if dimensions > _MAX_DIMENSIONS:
            raise reader.bad(f"tensor {name} has {dimensions} dimensions")
        shape = tuple(reader.number("Q") for _ in range(dimensions))[::-1]
        found.append((name, shape, reader.number("I"), reader.number("Q")))
    alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
    if not isinstance(alignment, int) or alignment <= 0 or alignment & (alignment - 1):
        raise reader.bad(f"general.alignment is {alignment!r}, expected a power of two")
    start = -(-reader.at // alignment) * alignment
    out: dict[str, TensorEntry] = {}
    for name, shape, kind, offset in found:
        if kind not in TYPES:
            raise Misfit(
                f"tensor {name} has the type number {kind}, which is not supported",
                where=str(reader.path),
                hint=f"Supported: {', '.join(TYPES.values())}.",
            )
        size = _size_bytes(TYPES[kind], shape, name, reader)
        begin, end = start + offset, start + offset + size
        if end > reader.size:
            raise reader.bad(f"tensor {name} ends at byte {end}, the file has {reader.size}")
        if name in out:
            raise reader.bad(f"tensor {name} is there twice")
        out[name] = TensorEntry(name, TYPES[kind], shape, begin, end)
    return out


def _size_bytes(dtype: str, shape: tuple[int, ...], name: str, reader: _Reader) -> int:
    if dtype == "F32":
        return math.prod(shape) * 4
    package = package_or_hint()
    elements, size = package.GGML_QUANT_SIZES[package.GGMLQuantizationType[dtype]]
    if not shape or shape[-1] % elements:
        raise reader.bad(
            f"tensor {name} has rows of {shape[-1] if shape else 0}, {dtype} needs multiples of {elements}"
        )
    return math.prod(shape) // int(elements) * int(size)


class _Reader:
    """A cursor over the header. Every read is checked to be within the file."""

    def __init__(self, data: npt.NDArray[np.uint8], path: Path) -> None:
        self._data: memoryview = data.data
        self.path = path
        self.size = len(self._data)
        self.at = 0

    def bad(self, what: str) -> MalformedInput:
        return MalformedInput(
            what, where=str(self.path), hint="The file is truncated or damaged: download it again."
        )

    def take(self, count: int) -> bytes:
        if count > self.size - self.at:
            raise self.bad(f"the header asks for {count} bytes at {self.at}, the file has {self.size}")
        self.at += count
        return bytes(self._data[self.at - count : self.at])

    def number(self, code: str) -> Any:
        (value,) = struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))
        return value

    def text(self) -> str:
        return self.take(self.number("Q")).decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY or depth > 2:
            raise self.bad(f"a value has the unknown type number {kind}")
        item, count = self.number("I"), self.number("Q")
        if item in _SCALARS:
            code = _SCALARS[item]
            # One request for all of them: an absurd count fails here instead of looping.
            return list(struct.unpack(f"<{count}{code}", self.take(count * struct.calcsize("<" + code))))
        if count > self.size - self.at:
            raise self.bad(f"an array claims {count} items, more than the file has bytes")
        return [self.value(item, depth + 1) for _ in range(count)]

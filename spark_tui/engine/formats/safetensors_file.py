"""One memory-mapped `.safetensors` file: the names, types and shapes of its tensors, and each one as float32.

The header is parsed here rather than by the `safetensors` package so that every size and offset is checked
against the file's true size before a single byte is mapped, and errors name what is wrong.
"""

from __future__ import annotations

import json
import math
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spark_tui.engine.formats.weights import TensorEntry
from spark_tui.errors import MalformedInput

MAX_HEADER_BYTES = 100_000_000
"""The format's own limit: a longer header is a length field that is not one."""
_HEAD_BYTES = 8
_TYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I16": np.dtype("<i2"),
    "I8": np.dtype("i1"),
    "U64": np.dtype("<u8"),
    "U32": np.dtype("<u4"),
    "U16": np.dtype("<u2"),
    "U8": np.dtype("u1"),
    "BOOL": np.dtype("?"),
}
FLOAT_TYPES = ("F64", "F32", "F16", "BF16")
_CHUNK_ELEMENTS = 1 << 22
"""Conversion works in pieces of this many elements, so that its scratch memory stays under 32 MiB."""


class SafetensorsFile:
    """The tensors of one file. Opening reads the header only; `read` touches the pages of one tensor."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries = _read_header(path)
        self._map: np.memmap[Any, np.dtype[np.uint8]] | None = None

    def __iter__(self) -> Iterator[TensorEntry]:
        return iter(self.entries.values())

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def raw(self, name: str) -> npt.NDArray[Any]:
        """The tensor as stored in the file, memory-mapped and read-only. BF16 comes as uint16."""
        entry = self.entries[name]
        if 0 in entry.shape:
            return np.zeros(entry.shape, _TYPES[entry.dtype])
        if self._map is None:
            self._map = np.memmap(self.path, mode="r", dtype=np.uint8)
        piece = np.asarray(self._map)[entry.begin : entry.end]
        return piece.view(_TYPES[entry.dtype]).reshape(entry.shape)

    def read(self, name: str) -> npt.NDArray[np.float32]:
        """The tensor as float32. An aligned F32 tensor stays mapped; every other type is converted once."""
        entry = self.entries[name]
        if entry.dtype not in FLOAT_TYPES:
            raise MalformedInput(
                f"tensor {name} has the type {entry.dtype}",
                where=str(self.path),
                hint="Weights must be F32, F16 or BF16; a quantized checkpoint can be read from GGUF.",
            )
        raw = self.raw(name)
        return raw if entry.dtype == "F32" and raw.flags.aligned else _to_float32(raw, entry.dtype)


def _to_float32(raw: npt.NDArray[Any], dtype: str) -> npt.NDArray[np.float32]:
    out = np.empty(raw.shape, np.float32)
    source, target = raw.reshape(-1), out.reshape(-1)
    for start in range(0, source.size, _CHUNK_ELEMENTS):
        piece = source[start : start + _CHUNK_ELEMENTS]
        if dtype == "BF16":
            # A bfloat16 is the upper half of a float32: shifting in place needs no scratch.
            bits = target[start : start + piece.size].view(np.uint32)
            bits[:] = piece
            bits <<= 16
        else:
            target[start : start + piece.size] = piece
    return out


def _read_header(path: Path) -> dict[str, TensorEntry]:
    where = str(path)

    def bad(what: str, hint: str = "The file is truncated or damaged: download it again.") -> MalformedInput:
        return MalformedInput(what, where=where, hint=hint)

    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its writer
            raise bad("is not a file", "Remove it from the folder of the model.")
        size = status.st_size
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            if len(head) < _HEAD_BYTES:
                raise bad(f"the file ends after {size} bytes, before its header")
            (header_bytes,) = struct.unpack("<Q", head)
            if header_bytes > MAX_HEADER_BYTES or _HEAD_BYTES + header_bytes > size:
                raise bad(f"the header claims {header_bytes} bytes, the file has {size}")
            text = file.read(header_bytes)
    except OSError as error:
        raise bad(f"cannot be read ({error.strerror})", "Check the path and its permissions.") from error
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad(f"the header is not JSON ({error})") from error
    if not isinstance(header, dict):
        raise bad("the header is not a JSON object")
    if not isinstance(header.pop("__metadata__", {}) or {}, dict):
        raise bad("the header's __metadata__ is not an object")
    start = _HEAD_BYTES + header_bytes
    entries = {name: _entry(name, record, start, size, bad) for name, record in header.items()}
    last_end, last_name = start, ""
    for entry in sorted(entries.values(), key=lambda entry: (entry.begin, entry.end)):
        if entry.begin < last_end:
            raise bad(f"tensors {last_name} and {entry.name} overlap")
        last_end, last_name = entry.end, entry.name
    return entries


def _entry(name: str, record: Any, data_start: int, size: int, bad: Any) -> TensorEntry:
    try:
        dtype, shape, (begin, end) = record["dtype"], tuple(record["shape"]), record["data_offsets"]
    except (KeyError, TypeError, ValueError) as error:
        raise bad(f"the header's entry for {name} lacks dtype, shape or data_offsets") from error
    if not isinstance(dtype, str) or dtype not in _TYPES:
        raise bad(f"tensor {name} has the unknown type {dtype!r}", f"Known types: {', '.join(_TYPES)}.")
    numbers = (*shape, begin, end)
    if not all(
        isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in numbers
    ):
        raise bad(f"tensor {name} has a shape or offset that is not a whole number ≥ 0")
    data_bytes = size - data_start
    if not begin <= end <= data_bytes:
        raise bad(f"tensor {name} ends at byte {end}, the file holds {data_bytes} bytes of data")
    expected = math.prod(shape) * _TYPES[dtype].itemsize
    if end - begin != expected:
        raise bad(
            f"tensor {name} takes {end - begin} bytes, its type and shape {list(shape)} need {expected}"
        )
    return TensorEntry(name, dtype, shape, data_start + begin, data_start + end)

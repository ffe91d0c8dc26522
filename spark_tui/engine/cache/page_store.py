"""A file of int8 cache pages that survives a restart.

A page is keyed by its ids and all ids before them, so a page that is found is never stale; a file belongs to
one model, identified by its fingerprint. Every slot has a checksum, so partly written or damaged pages are
treated as missing. Keys have one scale per channel and values one per token; `exact` stores float32 instead,
at four times the size, and reproduces the same logits after a restart.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.kernels.attention import PAGE

F32 = NDArray[np.float32]

MAGIC = b"SPKV\x01"
HEADER = struct.Struct("<5s3x16s16s16sQ")
"""magic, name, parent, checksum, last use."""
LAST_USE = 1 << 63
"""No clock comes this far: the header is damaged."""
DEFAULT_BYTES = 1 << 28
LEVELS = 127.0


class PageStore:
    """A file of slots. One process writes at a time; a second one only reads.

    It is not mapped: where the disk is full or another process cuts the file, a map ends the process.
    """

    def __init__(
        self,
        folder: Path,
        arch: Arch,
        head: int,
        fingerprint: str,
        *,
        max_bytes: int = DEFAULT_BYTES,
        exact: bool = False,
    ) -> None:
        self._shape = (arch.n_layers, arch.n_kv_heads, head, PAGE)
        self._exact = exact
        elements = int(np.prod(self._shape))
        self._scales = 0 if exact else arch.n_layers * arch.n_kv_heads * (head + PAGE)
        self._ids_at = HEADER.size
        self._scales_at = self._ids_at + 4 * PAGE
        self._data_at = self._scales_at + 4 * self._scales
        size = self._data_at + 2 * elements * (4 if exact else 1)
        self.slot_bytes = -(-size // 4096) * 4096
        self.n_slots = max(1, max_bytes // self.slot_bytes)
        folder.mkdir(parents=True, exist_ok=True)
        kind = "f32" if exact else "i8"
        self.path = folder / f"pages-{fingerprint}-{kind}.kv"
        self._slots: OrderedDict[bytes, int] = OrderedDict()
        self._free: list[int] = []
        self._clock = 0
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.writable = False
        with suppress(OSError):
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.writable = True
        wanted = self.n_slots * self.slot_bytes
        have = os.fstat(self._file).st_size
        if self.writable and have != wanted:
            os.ftruncate(self._file, wanted)  # sparse: slots take room when they are written
            have = wanted
        self.n_slots = min(self.n_slots, have // self.slot_bytes)
        self._read_headers()

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, name: bytes) -> bool:
        return name in self._slots

    def _read_headers(self) -> None:
        found = []
        for slot in self._with_data():
            magic, name, _, _, used = HEADER.unpack(self._read(slot, HEADER.size))
            if magic == MAGIC and used < LAST_USE:
                found.append((used, name, slot))
        taken = {slot for _, _, slot in found}
        self._free = [slot for slot in range(self.n_slots) if slot not in taken]
        for used, name, slot in sorted(found):
            self._slots[name] = slot
            self._clock = max(self._clock, used)

    def _with_data(self) -> Iterator[int]:
        """The slots that were ever written. The file has holes for the others, which are not read."""
        at, size = 0, self.slot_bytes
        while at < self.n_slots * size:
            try:
                at = os.lseek(self._file, at, os.SEEK_DATA)
                end = -(-os.lseek(self._file, at, os.SEEK_HOLE) // size)
            except OSError as error:
                if error.errno == errno.ENXIO:  # nothing but a hole is left
                    return
                end = self.n_slots  # this file system does not tell holes
            yield from range(at // size, min(end, self.n_slots))
            at = end * size

    def save(
        self, name: bytes, parent: bytes, ids: tuple[int, ...], keys: list[F32], values: list[F32]
    ) -> bool:
        """Write one page: `keys[layer]` `[kv, head, 64]`, `values[layer]` `[kv, 64, head]`. False where it
        could not be written."""
        if self._file < 0 or not self.writable or name in self._slots:
            return False
        slot = self._free.pop() if self._free else self._slots.popitem(last=False)[1]
        row = np.zeros(self.slot_bytes, np.uint8)
        row[self._ids_at : self._scales_at] = np.asarray(ids, "<i4").view(np.uint8)
        k, v = np.stack(keys), np.stack(values)
        if self._exact:
            row[self._data_at : self._data_at + 2 * k.nbytes] = np.concatenate([k.ravel(), v.ravel()]).view(
                np.uint8
            )
        else:
            packed_k, scale_k = quantize(k)
            packed_v, scale_v = quantize(v)
            scales = np.concatenate([scale_k.ravel(), scale_v.ravel()])
            row[self._scales_at : self._data_at] = scales.view(np.uint8)
            data = np.concatenate([packed_k.ravel(), packed_v.ravel()])
            row[self._data_at : self._data_at + data.size] = data.view(np.uint8)
        self._clock += 1
        header = HEADER.pack(MAGIC, name, parent, self._digest(row), self._clock)
        row[: HEADER.size] = np.frombuffer(header, np.uint8)
        if not self._write(slot, 0, row.tobytes()):
            self._free.append(slot)
            return False
        self._slots[name] = slot
        return True

    def _digest(self, row: NDArray[np.uint8]) -> bytes:
        return blake2b(row[self._ids_at :].tobytes(), digest_size=16).digest()

    def _write(self, slot: int, at: int, data: bytes) -> bool:
        """Whether all of it was written: the disk may be full."""
        with suppress(OSError):
            return os.pwrite(self._file, data, slot * self.slot_bytes + at) == len(data)
        return False

    def _read(self, slot: int, size: int) -> bytes:
        """The beginning of a slot; zeros where it cannot be read, or the file was cut."""
        with suppress(OSError):
            return os.pread(self._file, size, slot * self.slot_bytes).ljust(size, b"\0")
        return bytes(size)

    def load(self, name: bytes, keys: list[F32], values: list[F32]) -> tuple[int, ...] | None:
        """Fill a page; its ids, or None where the slot is damaged (it is forgotten then)."""
        slot = self._slots.get(name)
        if slot is None or self._file < 0:
            return None
        row = np.frombuffer(self._read(slot, self.slot_bytes), np.uint8)
        magic, found, _, digest, _ = HEADER.unpack(row[: HEADER.size].tobytes())
        if magic != MAGIC or found != name or digest != self._digest(row):
            self._free.append(self._slots.pop(name))
            return None
        layers, n_kv, head, page = self._shape
        count = layers * n_kv * head * page
        ids = tuple(int(token) for token in row[self._ids_at : self._scales_at].view("<i4"))
        data = row[self._data_at :]
        if self._exact:
            floats = data[: 8 * count].view(np.float32)
            k = floats[:count].reshape(self._shape)
            v = floats[count:].reshape(layers, n_kv, page, head)
        else:
            scales = row[self._scales_at : self._data_at].view(np.float32)
            cut = layers * n_kv * head
            packed = data[: 2 * count].view(np.int8)
            k = packed[:count].reshape(self._shape) * scales[:cut].reshape(layers, n_kv, head, 1)
            v = packed[count:].reshape(layers, n_kv, page, head) * scales[cut:].reshape(layers, n_kv, page, 1)
        for layer in range(layers):
            np.copyto(keys[layer], k[layer])
            np.copyto(values[layer], v[layer])
        self._slots.move_to_end(name)
        if self.writable:
            self._clock += 1
            self._write(slot, HEADER.size - 8, struct.pack("<Q", self._clock))
        return ids

    def close(self) -> None:
        """Let go. Safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def quantize(block: F32) -> tuple[NDArray[np.int8], F32]:
    """Signed bytes and a scale for each vector along the last axis."""
    scale = np.abs(block).max(axis=-1, keepdims=True) / np.float32(LEVELS)
    safe = np.where(scale > 0, scale, np.float32(1))
    packed: NDArray[np.int8] = np.rint(block / safe).astype(np.int8)
    return packed, scale.astype(np.float32)

"""Headers are checked before a byte is mapped, and values come out as float32 whatever they were."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from spark_tui.engine.formats.safetensors_file import SafetensorsFile
from spark_tui.errors import MalformedInput, SparkError


def write(path: Path, header: Any, data: bytes = b"", claimed: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text) if claimed is None else claimed) + text + data)
    return path


def entry(dtype: str = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_float32_and_float16_read_as_they_were_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    tensors = {
        "full": rng.normal(size=(5, 7)).astype(np.float32),
        "half": rng.normal(size=(3, 4)).astype(np.float16),
        "empty": np.zeros((0, 4), np.float32),
        "scalar": np.array(3.5, np.float32),
    }
    save_file(tensors, tmp_path / "m.safetensors", metadata={"format": "np"})
    file = SafetensorsFile(tmp_path / "m.safetensors")
    for name, values in tensors.items():
        read = file.read(name)
        assert read.dtype == np.float32
        assert read.shape == values.shape
        assert np.array_equal(read, values.astype(np.float32))


def test_an_aligned_float32_tensor_stays_mapped_and_cannot_be_written(tmp_path: Path) -> None:
    save_file({"w": np.ones((4, 4), np.float32)}, tmp_path / "m.safetensors")
    values = SafetensorsFile(tmp_path / "m.safetensors").read("w")
    assert not values.flags.owndata
    assert not values.flags.writeable


def test_an_unaligned_float32_tensor_is_copied(tmp_path: Path) -> None:
    header = json.dumps({"w": entry()}).encode()
    header += b" " * (3 - (8 + len(header)) % 4)
    assert (8 + len(header)) % 4 == 3
    path = write(tmp_path / "m.safetensors", header, np.array([1.5, -2], np.float32).tobytes())
    values = SafetensorsFile(path).read("w")
    assert values.flags.aligned
    assert values.tolist() == [1.5, -2.0]


@given(st.lists(st.integers(0, 0xFFFF), min_size=1, max_size=20))
def test_a_bfloat16_is_the_upper_half_of_a_float32(bits: list[int]) -> None:
    import tempfile

    raw = np.array(bits, "<u2")
    with tempfile.TemporaryDirectory() as folder:
        header = {"w": entry("BF16", raw.shape, (0, raw.nbytes))}
        values = SafetensorsFile(write(Path(folder) / "m.safetensors", header, raw.tobytes())).read("w")
    assert np.array_equal(values.view(np.uint32), raw.astype(np.uint32) << 16)


@pytest.mark.parametrize(
    ("header", "data", "claimed", "says"),
    [
        pytest.param(
            {"w": entry()}, b"\0" * 7, None, "ends at byte 8, the file holds 7", id="truncated-data"
        ),
        pytest.param({"w": entry(offsets=(0, 4))}, b"\0" * 8, None, "takes 4 bytes", id="size-against-shape"),
        pytest.param({"w": entry(offsets=(8, 0))}, b"\0" * 8, None, "ends at byte 0", id="end-before-begin"),
        pytest.param(
            {"w": entry(offsets=(-8, 0))}, b"\0" * 8, None, "not a whole number", id="negative-offset"
        ),
        pytest.param({"w": entry(shape=(-2,))}, b"\0" * 8, None, "not a whole number", id="negative-shape"),
        pytest.param(
            {"w": entry(shape=(2.0,))}, b"\0" * 8, None, "not a whole number", id="fractional-shape"
        ),
        pytest.param({"w": entry("F31")}, b"\0" * 8, None, "unknown type 'F31'", id="unknown-type"),
        pytest.param({"w": entry(["F32"])}, b"\0" * 8, None, "unknown type", id="type-is-a-list"),
        pytest.param({"w": {"dtype": "F32"}}, b"\0" * 8, None, "lacks dtype", id="entry-without-shape"),
        pytest.param({"w": 7}, b"", None, "lacks dtype", id="entry-is-a-number"),
        pytest.param({"a": entry(), "b": entry(offsets=(4, 12))}, b"\0" * 12, None, "overlap", id="overlap"),
        pytest.param([1], b"", None, "not a JSON object", id="header-is-a-list"),
        pytest.param(b"{not json", b"", None, "not JSON", id="header-is-no-json"),
        pytest.param(b"\xff\xfe", b"", None, "not JSON", id="header-is-no-text"),
        pytest.param(
            {"w": entry()}, b"", 1 << 60, "claims 1152921504606846976 bytes", id="header-length-absurd"
        ),
        pytest.param({"w": entry()}, b"", 5000, "claims 5000 bytes", id="header-longer-than-file"),
    ],
)
def test_a_damaged_header_says_what_is_wrong(
    tmp_path: Path, header: Any, data: bytes, claimed: int | None, says: str
) -> None:
    path = write(tmp_path / "m.safetensors", header, data, claimed)
    with pytest.raises(MalformedInput) as caught:
        SafetensorsFile(path)
    assert says in caught.value.what
    assert caught.value.where == str(path)


@pytest.mark.parametrize("size", range(9))
def test_a_file_shorter_than_any_header_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(b"\1" * size)
    with pytest.raises(MalformedInput):
        SafetensorsFile(path)


def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.safetensors")
    with pytest.raises(MalformedInput, match="is not a file"):
        SafetensorsFile(tmp_path / "m.safetensors")


def test_whole_numbers_are_no_weights(tmp_path: Path) -> None:
    save_file({"w": np.arange(4)}, tmp_path / "m.safetensors")
    with pytest.raises(MalformedInput, match="I64"):
        SafetensorsFile(tmp_path / "m.safetensors").read("w")


@settings(max_examples=150)
@given(st.data())
def test_a_file_cut_or_changed_anywhere_is_read_or_refused_but_never_crashes(data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.safetensors"
        save_file({"a": np.ones((3, 2), np.float32), "b": np.ones(4, np.float16)}, path)
        raw = bytearray(path.read_bytes())
        del raw[data.draw(st.integers(0, len(raw))) :]
        if raw:
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(raw)
        try:
            file = SafetensorsFile(path)
            for found in file:
                if found.dtype in ("F32", "F16", "BF16"):
                    assert file.read(found.name).shape == found.shape
        except SparkError:
            pass

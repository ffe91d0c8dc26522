"""Quantized blocks of GGUF files, each decoded here in the plainest way."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gguf = pytest.importorskip("gguf", reason="extra gguf is not installed")

from spark_tui.engine.formats.gguf_file import GgufFile  # noqa: E402


def q6_k_value(block: bytes, place: int) -> float:
    """One element of a Q6_K block, by its layout: 4 low bits, 2 high bits, 16 scales, one d."""
    half, rest = divmod(place, 128)
    quarter, column = divmod(rest, 32)
    low = block[half * 64 + (quarter % 2) * 32 + column]
    low = low >> 4 if quarter >= 2 else low & 15
    high = (block[128 + half * 32 + column] >> (2 * quarter)) & 3
    (scale,) = struct.unpack_from("b", block, 192 + half * 8 + quarter * 2 + column // 16)
    (d,) = struct.unpack_from("<e", block, 208)
    return float(d * scale * ((low | high << 4) - 32))


def q4_k_value(block: bytes, place: int) -> float:
    """One element of a Q4_K block: d and dmin, eight 6-bit scales and minima packed in 12 bytes, 4-bit
    values."""
    d, dmin = struct.unpack_from("<ee", block, 0)
    packed, group = block[4:16], place // 32
    if group < 4:
        scale, minimum = packed[group] & 63, packed[group + 4] & 63
    else:
        scale = (packed[group + 4] & 15) | (packed[group - 4] >> 6) << 4
        minimum = (packed[group + 4] >> 4) | (packed[group] >> 6) << 4
    byte = block[16 + (group // 2) * 32 + place % 32]
    value = byte >> 4 if group % 2 else byte & 15
    return float(d * scale * value - dmin * minimum)


def q2_k_value(block: bytes, place: int) -> float:
    """Q2_K: a 4-bit scale and minimum for each 16 values, four 2-bit values a byte, d, dmin."""
    half, rest = divmod(place, 128)
    quarter, column = divmod(rest, 32)
    scale = block[half * 8 + quarter * 2 + column // 16]
    d, dmin = struct.unpack_from("<ee", block, 80)
    value = (block[16 + half * 32 + column] >> (2 * quarter)) & 3
    return float(d * (scale & 15) * value - dmin * (scale >> 4))


def q3_k_value(block: bytes, place: int) -> float:
    """Q3_K: high bits, four 2-bit values a byte, 16 scales of 6 bits in 12 bytes, d."""
    half, rest = divmod(place, 128)
    quarter, column = divmod(rest, 32)
    group, packed = half * 8 + quarter * 2 + column // 16, block[96:108]
    low, high = packed[group % 8] >> (4 * (group // 8)), packed[8 + group % 4] >> (2 * (group // 4))
    value = (block[32 + half * 32 + column] >> (2 * quarter)) & 3
    value -= 0 if block[column] >> (4 * half + quarter) & 1 else 4
    (d,) = struct.unpack_from("<e", block, 108)
    return float(d * ((low & 15 | (high & 3) << 4) - 32) * value)


NOT_LINEAR = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)


def iq4_nl_value(block: bytes, place: int) -> float:
    """IQ4_NL: d, then 4-bit places in a table."""
    (d,) = struct.unpack_from("<e", block, 0)
    byte = block[2 + place % 16]
    return float(d * NOT_LINEAR[byte >> 4 if place >= 16 else byte & 15])


def iq4_xs_value(block: bytes, place: int) -> float:
    """IQ4_XS: d, eight scales of 6 bits (the high ones first), then 4-bit places in a table."""
    group, rest = divmod(place, 32)
    d, high = struct.unpack_from("<eH", block, 0)
    scale = (block[4 + group // 2] >> (4 * (group % 2))) & 15 | (high >> (2 * group) & 3) << 4
    byte = block[8 + 16 * group + rest % 16]
    return float(d * (scale - 32) * NOT_LINEAR[byte >> 4 if rest >= 16 else byte & 15])


@pytest.mark.parametrize(
    ("kind", "size", "value", "halves"),
    [
        ("Q6_K", 210, q6_k_value, (208,)),
        ("Q4_K", 144, q4_k_value, (0, 2)),
        ("Q2_K", 84, q2_k_value, (80, 82)),
        ("Q3_K", 110, q3_k_value, (108,)),
        ("IQ4_NL", 18, iq4_nl_value, (0,)),
        ("IQ4_XS", 136, iq4_xs_value, (0,)),
    ],
)
def test_quantized_blocks_are_decoded_by_their_layout(
    tmp_path: Path, kind: str, size: int, value: Any, halves: tuple[int, ...]
) -> None:
    raw = np.random.default_rng(3).integers(0, 256, (4, size), np.uint8)
    for number, at in enumerate(halves):  # the float16 scales: any other bytes may be no number
        raw[:, at : at + 2] = np.frombuffer(np.float16(0.02 / (1 + number)).tobytes(), np.uint8)
    writer = gguf.GGUFWriter(str(tmp_path / "m.gguf"), "llama")
    writer.add_tensor("w", raw, raw_dtype=gguf.GGMLQuantizationType[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = GgufFile(tmp_path / "m.gguf").read("w")
    places = 32 if kind == "IQ4_NL" else 256
    expected = [[value(row.tobytes(), place) for place in range(places)] for row in raw]
    assert np.allclose(found, expected, rtol=1e-6, atol=1e-6)

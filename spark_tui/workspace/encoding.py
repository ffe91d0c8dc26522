"""Guess how a file's bytes are meant, so that editing it puts the same bytes back.

Comes in: bytes. Goes out: the name of a codec that reads them and writes the very same ones. Must not know:
files. Lines that no edit touches are copied as bytes; a wrong guess shows odd letters and harms nothing.
"""

from __future__ import annotations

import re

_UTF8_LETTER = re.compile(
    rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|\xc2[\xa0-\xbf]"
)
_HIGH = re.compile(rb"[\x80-\xff]+")
_HANZI_PAIR = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]|[\xa1-\xa9][\xa1-\xfe]")
_MOST_SNIFFED = 1_000_000


def guess_encoding(data: bytes) -> str:
    """`utf-8` where it fits or nearly fits, else `gb18030`, `cp1252` or `latin-1`."""
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    high = b"".join(_HIGH.findall(data[:_MOST_SNIFFED]))
    letters = sum(len(found) for found in _UTF8_LETTER.findall(data[:_MOST_SNIFFED]))
    if not high or 2 * letters > len(high):
        return "utf-8"
    if _reads_as_chinese(data[:_MOST_SNIFFED]) and _returns(data, "gb18030"):
        return "gb18030"
    # Between 0x80 and 0x9f latin-1 has control characters that no text has; Windows has dashes and quotes
    # there.
    controls = any(0x80 <= byte <= 0x9F for byte in high)
    if controls and _returns(data, "cp1252"):
        return "cp1252"
    return "utf-8" if controls else "latin-1"


def _reads_as_chinese(data: bytes) -> bool:
    """High bytes come in pairs of the common plane, nearly all of them."""
    total = paired = 0
    for run in _HIGH.findall(data):
        total += len(run)
        paired += sum(len(pair) for pair in _HANZI_PAIR.findall(run))
    return total >= 2 and paired >= 0.9 * total


def _returns(data: bytes, encoding: str) -> bool:
    try:
        return data.decode(encoding).encode(encoding) == data
    except UnicodeError:
        return False

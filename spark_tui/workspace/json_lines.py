"""Files of JSON lines, compressed where their name ends in `.gz`."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a file, compressed or not. Raises MalformedInput with the line that is none."""
    try:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or "it is not a complete gzip file"
        raise MalformedInput(f"cannot be read: {why}", where=str(path)) from error
    out: list[dict[str, Any]] = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise MalformedInput(f"is not JSON: {error.msg}", where=f"{path}:{number}") from error
        if not isinstance(record, dict):
            raise MalformedInput("is not a JSON object", where=f"{path}:{number}")
        out.append(record)
    return out


def write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """A compressed file has no time stamp, so that the same records give the same bytes."""
    data = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)

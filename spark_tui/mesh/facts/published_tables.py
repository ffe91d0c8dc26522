"""Read published tables, recognised by their headers."""

from __future__ import annotations

import csv
import io
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput, reason

Row = dict[str, str]

_TABLES: dict[str, dict[str, Any]] = tomllib.loads(
    resources.files("spark_tui.mesh").joinpath("data/tables.toml").read_text("utf-8")
)
KEYS = {kind: frozenset(row["columns"].split()) for kind, row in _TABLES.items()}
"""The columns that tell a table. The first that fits is taken."""
FILES: dict[str, str] = {kind: row["file"] for kind, row in _TABLES.items() if "facts" not in row}
FACTS: dict[str, str] = {kind: row["file"] for kind, row in _TABLES.items() if "facts" in row}
"""What the model is made of."""
PUBLISHED: dict[str, str] = {kind: row["published"] for kind, row in _TABLES.items() if "published" in row}
"""The column that a prediction is compared with."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One file's rows."""

    kind: str
    source: str
    rows: tuple[Row, ...]


def kind_of(header: list[str], source: str) -> str:
    names = {name.strip() for name in header}
    # the prefill table also has what tells a decode table, so the longest match wins
    fitting = [kind for kind, keys in KEYS.items() if keys <= names]
    if not fitting:
        raise MalformedInput(
            f"unknown table: its columns are {', '.join(header) or '(none)'}",
            where=source,
            hint=f"Use the header of one of: {', '.join(sorted(FILES.values()))}.",
        )
    if "prefill" in fitting:
        return "prefill"
    return max(fitting, key=lambda kind: len(KEYS[kind]))


def read(path: Path) -> PublishedTable:
    """A person's own file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedInput(f"cannot read the table: {reason(error)}", where=str(path)) from error
    return _parse(text, str(path))


def packaged(kind: str) -> PublishedTable:
    """One of the tables that the product carries."""
    text = (
        resources.files("spark_tui.mesh").joinpath("data", (FILES | FACTS)[kind]).read_text(encoding="utf-8")
    )
    return _parse(text, (FILES | FACTS)[kind])


def _parse(text: str, source: str) -> PublishedTable:
    reader = csv.DictReader(io.StringIO(text))
    try:
        kind = kind_of(list(reader.fieldnames or []), source)
        records = list(reader)
    except csv.Error as error:
        raise MalformedInput(f"the table is not valid CSV: {error}", where=source) from error
    rows: list[Row] = []
    for number, record in enumerate(records, start=2):
        if None in record:
            raise MalformedInput("a row has more fields than the header", where=f"{source}:{number}")
        row = {key.strip(): (value or "").strip() for key, value in record.items()}
        if any(row.values()):
            rows.append(row)
    return PublishedTable(kind, source, tuple(rows))

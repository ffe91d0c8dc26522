"""The models that a server lists, as far as it describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model of the server's list. `window` is 0 and `format` empty where the server does not say."""

    name: str
    window: int = 0
    format: str = ""
    owner: str = ""
    splices: bool = False
    """Whether it may be told several messages inside one answer."""
    reads: tuple[int, int] | None = None
    """Tokens and lines of one file that it reads at a time; None: what fits its window."""
    fills_from: float | None = None
    """The least likelihood with which a line that it fills in is worth showing; None: it does not say, or
    cannot."""


def read_models(body: Any) -> tuple[RemoteModel, ...]:
    """The models in the decoded answer of `GET /models`."""
    rows = body.get("data") if isinstance(body, dict) else body
    listed = rows if isinstance(rows, list) else []
    return tuple(_model(row) for row in listed if isinstance(row, dict) and row.get("id"))


def _model(row: dict[str, Any]) -> RemoteModel:
    window = next(
        (
            row[name]
            for name in ("context_window", "max_model_len", "context_length")
            if isinstance(row.get(name), int)
        ),
        0,
    )
    form = row.get("edit_format")
    return RemoteModel(
        str(row["id"]),
        window,
        form if isinstance(form, str) else "",
        str(row.get("owned_by") or ""),
        row.get("splices") is True,
        _pair(row.get("reads")),
        _share(row.get("fills_from")),
    )


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and 0 <= value <= 1 else None


def _pair(value: Any) -> tuple[int, int] | None:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(item, int) and item > 0 for item in value)
    ):
        return value[0], value[1]
    return None

"""Ids that an engine generates."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.engine.engine import Engine


def generated_ids(engine: Engine, ids: Sequence[int], count: int, **options: object) -> list[int]:
    options.setdefault("ends", ())
    return [token.id for token in engine.generate(ids, count, **options)]  # type: ignore[arg-type]

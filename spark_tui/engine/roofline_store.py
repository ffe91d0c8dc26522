"""Keeps the roofline of each machine in a folder, and measures it again where the machine has changed its
speed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spark_tui.engine import blas, int8_accelerator
from spark_tui.engine.machine import core_count, cpu_name
from spark_tui.engine.roofline import Roofline, measure, probe

CHANGED = 1.5
"""A rate that is off by this factor, either way, was measured on what is by now another machine."""


class KnownRoofline(NamedTuple):
    """A roofline, and in words why it was measured just now; empty where it was read."""

    roofline: Roofline
    note: str


def machine_key() -> str:
    """Names this machine and its libraries, as far as they decide its speed."""
    facts = (
        platform.node(),
        cpu_name(),
        core_count(),
        blas.facts().core,
        np.__version__,
        int8_accelerator.available(),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def known_roofline(folder: Path) -> KnownRoofline:
    """What is kept in this folder for this machine, if a probe agrees with it; else what is measured now, and
    kept. A folder that cannot be written is no error: the next process measures again."""
    path = folder / f"roofline-{machine_key()}.json"
    kept = _read(path)
    if kept is None:
        return _measured(path, "measured at first use")
    factor = change(kept, probe())
    if factor is None:
        return KnownRoofline(kept, "")
    return _measured(path, f"measured again: this machine runs at {factor:.2g} × the speed that was kept")


@cache
def process_roofline(folder: Path) -> KnownRoofline:
    """`known_roofline`, once per process: all figures of a report are shares of the same one."""
    return known_roofline(folder)


def change(kept: Roofline, now: Roofline) -> float | None:
    """The largest change of a rate, as a factor; None where none is off by much."""
    factors = [
        rate.value / before
        for rate in now.rates
        if (before := kept.rate(rate.what, rate.size, rate.threads)) is not None
    ]
    far = max(factors, key=lambda factor: max(factor, 1 / factor), default=1.0)
    return far if max(far, 1 / far) >= CHANGED else None


def _measured(path: Path, note: str) -> KnownRoofline:
    roofline = measure()
    try:
        _write(path, json.dumps(roofline.as_dict()))
    except OSError as error:
        note += f"; not kept: {error.strerror} ({path.parent})"
    return KnownRoofline(roofline, note)


def _read(path: Path) -> Roofline | None:
    try:
        return Roofline.from_dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write(path: Path, text: str) -> None:
    """All of it or nothing: two processes may measure at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text, "utf-8")
    part.replace(path)

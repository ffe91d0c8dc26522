"""Keeps the roofline of each machine in a folder, and measures it again where the machine has changed its
speed."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spark_tui.engine.kernels import blas, int8_products
from spark_tui.engine.kernels.core_choice import measure_core
from spark_tui.engine.performance.roofline import Roofline, measure, probe
from spark_tui.engine.runtime import machine_files
from spark_tui.engine.runtime.machine import core_count

CHANGED = 1.5
"""A rate that is off by this factor, either way, was measured on what is by now another machine."""


class KnownRoofline(NamedTuple):
    """A roofline, and in words why it was measured just now; empty where it was read."""

    roofline: Roofline
    note: str


def machine_key() -> str:
    """Names this machine and its libraries, as far as they decide its speed."""
    compiled = int8_products.missing() or int8_products.COMPILED
    return machine_files.key(core_count(), blas.facts().core, np.__version__, compiled)


def known_roofline(folder: Path) -> KnownRoofline:
    """The roofline stored in this folder for this machine, if a probe confirms it; otherwise measured now
    and stored. If the folder is not writable, the next process measures again."""
    path = folder / f"roofline-{machine_key()}.json"
    kept = _read(path)
    if kept is None:
        return _measured(path, "measured at first use")
    factor = change(kept, probe())
    if factor is None:
        return KnownRoofline(kept, "")
    machine_files.forget("kernels-*")
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
    if core := measure_core():
        note += f"; {core}"
    roofline = measure()
    if trouble := machine_files.write(path, asdict(roofline)):
        note += f"; {trouble}"
    return KnownRoofline(roofline, note)


def _read(path: Path) -> Roofline | None:
    try:
        return Roofline.from_dict(machine_files.read(path))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None

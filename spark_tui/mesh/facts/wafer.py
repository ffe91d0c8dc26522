"""What a device is: sizes, rates and latencies, each with its unit in its name and nothing fitted."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from spark_tui.errors import ConfigError, UsageError, reason

BYTES_FP16 = 2
_MOST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class Wafer:
    """One device. `columns` × `rows` is the rectangle that a program may use, not the marketing count."""

    name: str
    columns: int
    rows: int
    clock_hz: float
    sram_bytes_per_core: int
    runtime_bytes_per_core: int
    hop_cycles: int
    """Router to router, one link."""
    ramp_cycles: int
    """Core to its own router, or back (`T_R`)."""
    wavelet_cycles: float
    """Cycles that one 32-bit wavelet occupies a link."""
    elements_per_wavelet: int
    """fp16 values packed in one wavelet."""
    fma_lanes: int
    """fp16 multiply-adds that one vector instruction finishes in a cycle, nominally."""
    fma_silicon_share: float
    """Measured share of that rate on silicon (2.92 of 4.0 per cycle)."""
    issue_cycles: int
    """Set-up of one vector instruction (measured 15 to 17)."""
    colours: int
    io_bytes_per_second: float
    power_watts: float

    @property
    def data_bytes_per_core(self) -> int:
        """SRAM that is left for weights, activations and keys."""
        return self.sram_bytes_per_core - self.runtime_bytes_per_core

    @property
    def fma_group_cycles(self) -> float:
        """Cycles of one full-width group of multiply-adds, at the measured share."""
        return 1.0 / self.fma_silicon_share

    def check_grid(self, side: int) -> None:
        """Check that a square region fits the device."""
        if side < 1:
            raise UsageError(f"a grid has at least one core a side, not {side}", hint="Use --grid 1 or more.")
        if side > min(self.columns, self.rows):
            raise UsageError(
                f"a grid of {side} × {side} is larger than {self.name} ({self.columns} × {self.rows} usable"
                " cores)",
                hint=f"The largest square on it is {min(self.columns, self.rows)}.",
            )

    def regions(self, side: int) -> int:
        """How many square regions of that side fit on one wafer."""
        return (self.columns // side) * (self.rows // side)


PRESETS: dict[str, Wafer] = {}
for _name, _row in tomllib.loads(
    files("spark_tui.mesh").joinpath("data/wafers.toml").read_text("utf-8")
).items():
    _base = _row.pop("base", "")
    PRESETS[_name] = replace(PRESETS[_base], name=_name, **_row) if _base else Wafer(name=_name, **_row)
WSE2, WSE3, MINI8 = PRESETS["wse2"], PRESETS["wse3"], PRESETS["mini8"]
_ALIASES = {"wse-2": "wse2", "cs-2": "wse2", "cs2": "wse2", "wse-3": "wse3", "cs-3": "wse3", "cs3": "wse3"}


def preset(name: str) -> Wafer:
    """A device by name, whatever its spelling: `WSE-2`, `wse2`, `CS-2`."""
    key = name.strip().lower()
    key = _ALIASES.get(key, key)
    if key not in PRESETS:
        raise UsageError(f"unknown device {name!r}", hint=f"Known: {', '.join(PRESETS)}; or a TOML file.")
    return PRESETS[key]


def from_toml(path: Path) -> Wafer:
    """A person's own device: `base = "wse3"`, then the fields that differ."""
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"cannot read the device file: {reason(error)}", where=str(path)) from error
    base = preset(str(values.pop("base", "wse2")))
    values.setdefault("name", path.stem)
    kinds = {field.name: type(getattr(base, field.name)) for field in fields(Wafer)}
    for key, value in values.items():
        if key not in kinds:
            raise ConfigError(
                f"unknown device field {key!r}", where=str(path), hint=f"Fields: {', '.join(sorted(kinds))}."
            )
        if kinds[key] is str:
            if not isinstance(value, str):
                raise ConfigError(f"{key} must be text", where=str(path))
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST:
            raise ConfigError(f"{key} must be a finite number that is not negative", where=str(path))
        elif kinds[key] is int and value != int(value):
            raise ConfigError(f"{key} must be a whole number", where=str(path))
    cast = {key: kinds[key](value) for key, value in values.items()}
    wafer = replace(base, **cast)
    for key in (
        "columns",
        "rows",
        "clock_hz",
        "io_bytes_per_second",
        "wavelet_cycles",
        "elements_per_wavelet",
        "fma_lanes",
        "fma_silicon_share",
        "colours",
    ):
        if getattr(wafer, key) <= 0:
            raise ConfigError(f"{key} must be more than zero", where=str(path))
    return wafer


def load(name_or_path: str) -> Wafer:
    """A preset, or a TOML file where the text ends in `.toml`."""
    if name_or_path.lower().endswith(".toml"):
        return from_toml(Path(name_or_path))
    return preset(name_or_path)

"""The wafer panel as text: a heat map in braille dots, figures beside it, and bars where there is room.

The map is dithered: a cell has eight dots, and the busier the links under it, the more dots are set. It can
be read without colour; the colour repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from spark_tui.mesh.estimates.live_tracker import LiveFigures

Named = list[tuple[str, str]]
Heat = Sequence[Sequence[float]]

LABEL, COLUMN, FIGURES, NAME = 13, 11, 48, 11
BARS_FROM = 112
"""Cells of width from which rates are also drawn as bars."""
_FLOOR = 0.3
"""The least used link of a sum carries a third of the busiest one's traffic; less gets no dot."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_ORDER = ((0, 4), (6, 2), (1, 5), (7, 3))
"""In which order the dots of a cell are set as it gets warmer."""
_DEVICES = {"wse2": "WSE-2", "wse3": "WSE-3"}


@dataclass(frozen=True, slots=True)
class WaferView:
    """Everything that the panel shows. Without a reading, `why` gives the reason."""

    reading: LiveFigures | None = None
    heat: Heat = ()
    """Dots: four rows and two columns of them for each cell of the map."""
    working: bool = False
    why: tuple[str, ...] = ()
    close_key: str = ""
    model_key: str = ""
    runs: str = ""
    """The model that runs here, where the figures are for another one."""


def map_size(area: tuple[int, int], width: int, height: int) -> tuple[int, int]:
    """Rows and columns of cells for an undistorted map of this many cores across and down: a cell is two
    dots wide and four high. (0, 0) if there is no room next to the figures."""
    most_columns, most_rows = min(width - FIGURES - 4, 34), height - 1
    if most_columns < 8 or most_rows < 3:
        return 0, 0
    wide, tall = area
    rows = min(most_rows, max(round(most_columns * tall / (2 * wide)), 1))
    columns = min(most_columns, max(round(rows * 2 * wide / tall), 1))
    return rows, columns


def title(view: WaferView, width: int) -> tuple[Named, Named]:
    left: Named = [("─ ", "pane.rule"), ("wafer ", "pane.soft")]
    keys: Named = [(f" {view.close_key}", "pane.key"), (" close ", "pane.soft"), ("─", "pane.rule")]
    reading = view.reading
    if reading is not None:
        keys = [(f" {view.model_key}", "pane.key"), (" next model ", "pane.soft"), *keys]
        left += [(f" {device(reading)}", "pane"), (" with ", "pane.soft"), (f"{reading.model}  ", "pane")]
        weights = f"{amount(reading.n_params)} weights"
        layers = f", {reading.n_layers} layers × {reading.d_model}"
        taken = sum(cell_len(text) for text, _ in [*left, *keys]) + cell_len(weights)
        left.append((f"{weights}{layers if taken + cell_len(layers) + 2 < width else ''} ", "pane.soft"))
    return left, keys


def rows(view: WaferView, width: int, height: int) -> list[Named]:
    """The rows below the title, at most `height - 1`."""
    reading = view.reading
    if reading is None:
        why = view.why[: max(height - 1, 0)]
        return [[("  " + text, "pane.soft" if at else "pane")] for at, text in enumerate(why)]
    dots = _map(view)
    side = cell_len("".join(text for text, _ in dots[0])) if dots else 0
    bars = comparison(reading, min(width - side - FIGURES - 8, 46), view.runs) if width >= BARS_FROM else []
    beside = figures(reading, view.runs, roomy=height >= 12, gpus=not bars)
    drop = max((height - 1 - len(dots)) // 2, 0)
    out: list[Named] = []
    for at in range(height - 1):
        row: Named = []
        if side:
            here = dots[at - drop] if 0 <= at - drop < len(dots) else [(" " * side, "pane")]
            row = [(" ", "pane"), *here, ("  ", "pane")]
        row += padded(beside[at] if at < len(beside) else [], FIGURES)
        if at < len(bars):
            row += [("  ", "pane"), *bars[at]]
        out.append(row)
    return out


def figures(reading: LiveFigures, runs: str, *, roomy: bool, gpus: bool) -> list[Named]:
    """The figures, most important first, so that the last ones are dropped if there is no room. `runs`:
    the model that runs here, if the figures are for another one; measured values are then that model's
    and are not compared."""
    wrote = reading.tokens > 0
    rate = (reading.simulated_tokens_per_second, reading.measured_tokens_per_second) if wrote else (0.0, 0.0)
    read = reading.measured_first_token_s > 0
    first = (reading.simulated_first_token_s, reading.measured_first_token_s) if read else (0.0, 0.0)
    head = f"{'':<{LABEL}}{'simulated':>{COLUMN}}"
    head += f"  measured: {runs}"[: FIGURES - len(head)] if runs else f"{'measured':>{COLUMN}}{'ratio':>9}"
    faster = rate[0] / rate[1] if rate[1] and not runs else 0
    sooner = first[1] / first[0] if first[0] and not runs else 0
    speeds = [
        _pair("tokens/s", [_rate(value) for value in rate], faster),
        _pair("first token", [_time(value) for value in first], sooner),
    ]
    if read and not wrote:
        speeds[0] = _labelled("tokens/s", [("none: all came with the prompt's pass", "pane")])
    used = reading.stages * reading.grid**2
    there = reading.wafers * reading.device_cores[0] * reading.device_cores[1]
    lies = [_memory(reading), _labelled("placed on", [(_place(reading), "pane")])]
    busy = (f"{100 * reading.compute_share:.0f} % computing", "pane")
    busy = busy if reading.simulated_cycles else ("idle", "pane.soft")
    cores = _labelled("cores", [(f"{used:,}", "pane"), (f" of {there:,}, ", "pane.soft"), busy])
    others = _gpus(reading) if gpus else []
    legend = _labelled("dots", [("more dots, busier links", "pane.faint")])
    if not roomy:
        return [[(head, "pane.faint")], *speeds, *lies, *others, cores, legend]
    cycles: Named = [
        (amount(reading.simulated_cycles), "pane"),
        (f" for {'the prompt' if reading.answers < 2 else f'{reading.answers} prompts'}", "pane.soft"),
        (f" and {reading.passes:,} passes", "pane.soft"),
    ]
    return [
        [(head, "pane.faint")],
        *speeds,
        [],
        *lies,
        cores,
        _labelled("cycles", cycles),
        [],
        *others,
        legend,
    ]


def comparison(reading: LiveFigures, cells: int, runs: str) -> list[Named]:
    """Rates as bars, and the first token: the wafers, as many of each GPU as hold the model, this machine."""
    wafer = f"{reading.wafers}× {device(reading)}"
    lines = [(wafer, reading.simulated_tokens_per_second, reading.simulated_first_token_s)]
    for gpu in reversed(reading.gpus):
        lines.append((f"{gpu.count}× {gpu.name.upper()}", gpu.tokens_per_second, gpu.first_token_s))
    if not runs:
        lines.append(("here", reading.measured_tokens_per_second, reading.measured_first_token_s))
    room = cells - NAME - 18
    out: list[Named] = [[(f"{'one sequence, fp16':<{cells - 18}}{'tok/s':>9}{'first':>9}", "pane.faint")]]
    top = max(rate for _, rate, _ in lines)
    for name, rate, first in lines:
        style = "pane.accent" if len(out) == 1 else "pane.key" if name == "here" else "pane.soft"
        bar = bar_of(rate / top, room) if top else ""
        out.append([(f"{name:<{NAME}}", "pane.soft"), (f"{bar:<{room}}", style)])
        out[-1].append((f"{_rate(rate):>9}{_time(first):>9}", "pane"))
    out.append([("same drafts; errors: spark wafer validate", "pane.faint")])
    return out


def bar_of(share: float, cells: int) -> str:
    """A bar in halves of a cell; what is more than nothing shows."""
    halves = min(max(round(share * cells * 2), 1 if share > 0 else 0), cells * 2)
    return "━" * (halves // 2) + "╸" * (halves % 2)


def _pair(label: str, texts: Sequence[str], ratio: float) -> Named:
    simulated, measured = texts
    row: Named = [(f"{label:<{LABEL}}", "pane.soft"), (f"{simulated:>{COLUMN}}", "pane.accent")]
    row.append((f"{measured:>{COLUMN}}", "pane"))
    if ratio:
        row.append((f"{f'{ratio:,.0f}×' if ratio >= 9.5 else f'{ratio:.1f}×':>9}", "pane.faint"))
    return row


def _labelled(label: str, pieces: Named) -> Named:
    return [(f"{label:<{LABEL}}", "pane.soft"), *pieces]


def _memory(reading: LiveFigures) -> Named:
    share = reading.sram_bytes_per_core / reading.sram_limit_bytes
    used, limit = reading.sram_bytes_per_core / 1024, reading.sram_limit_bytes / 1024
    bar, free = bar_of(share, 12), "─" * (12 - len(bar_of(share, 12)))
    amounts = [(f"  {used:.1f}", "pane"), (f" of {limit:.0f} KiB", "pane.soft")]
    return _labelled("SRAM a core", [(bar, "pane.key"), (free, "pane.rule"), *amounts])


def _place(reading: LiveFigures) -> str:
    stages = f"{reading.stages} stage{'s' if reading.stages > 1 else ''}"
    wafers = f"{reading.wafers} wafer{'s' if reading.wafers > 1 else ''}"
    return f"{stages} of {reading.grid}×{reading.grid} on {wafers}"


def _gpus(reading: LiveFigures) -> list[Named]:
    """Two rows: rates and first tokens of as many of each GPU as hold the model."""
    rates, firsts = _labelled("fp16, tok/s", []), _labelled("first token", [])
    for gpu_reading in reading.gpus:
        rate = amount(gpu_reading.tokens_per_second) if gpu_reading.tokens_per_second else "—"
        many = f"{gpu_reading.count}×" if gpu_reading.count > 1 else ""
        rates.append((f"{f'{many}{gpu_reading.name.upper()} {rate}':<12}", "pane"))
        firsts.append((f"{_time(gpu_reading.first_token_s):<12}", "pane"))
    return [rates, firsts]


def _map(view: WaferView) -> list[Named]:
    """Braille cells, one style for a run of cells."""
    out: list[Named] = []
    for top in range(0, len(view.heat) - 3, 4):
        block = view.heat[top : top + 4]
        row: Named = []
        for left in range(0, len(block[0]) - 1, 2):
            bits, total = 0, 0.0
            for y in range(4):
                for x in range(2):
                    warm = (block[y][left + x] - _FLOOR) / (1 - _FLOOR)
                    total += warm
                    if warm * 8 > _ORDER[y][x] + 0.5:
                        bits |= _DOTS[y][x]
            mean = total / 8 if view.working else 0.0
            style = "pane.faint" if mean < 0.35 else "pane.soft" if mean < 0.7 else "pane.key"
            text = chr(0x2800 + bits) if bits else "·"
            if row and row[-1][1] == style:
                row[-1] = (row[-1][0] + text, style)
            else:
                row.append((text, style))
        out.append(row)
    return out


def padded(row: Named, cells: int) -> Named:
    """The row, filled up to so many cells."""
    used = sum(cell_len(text) for text, _ in row)
    return [*row, (" " * (cells - used), "pane")] if used < cells else row


def device(reading: LiveFigures) -> str:
    return _DEVICES.get(reading.device, reading.device)


def amount(value: float) -> str:
    """1284 → `1.3k`, 12_400_000 → `12.4M`."""
    for size, unit in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            scaled = value / size
            return f"{scaled:.0f}{unit}" if scaled >= 99.95 else f"{scaled:.1f}{unit}"
    return f"{value:.0f}"


def _rate(value: float) -> str:
    return "—" if not value else f"{value:,.0f}" if value >= 99.5 else f"{value:.1f}"


def _time(seconds: float) -> str:
    if not seconds:
        return "—"
    if seconds >= 0.9995:
        return f"{seconds:.1f} s"
    ms = seconds * 1000
    return f"{ms:.0f} ms" if ms >= 9.95 else f"{ms:.1f} ms" if ms >= 0.95 else f"{ms:.2f} ms"

"""`spark stats`: the durations of this repository's turns, and the outcomes of their hunks.

Nothing of it leaves the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spark_tui.bars import columns
from spark_tui.cli import flags, rate_comparison
from spark_tui.cli.output import print_error
from spark_tui.config import paths
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.session_opener import root_of
from spark_tui.session.storage.session_index import LegTimes, SessionIndex


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--plot", metavar="FILE.svg", help="draw first token and tokens per second of each turn"
    )
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="compare two models, or two spans of days (2026-10-01..2026-11-01), by accept and undo rates",
    )
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    state = paths.repository_state_dir(root_of(flags.directory(args)))
    with SessionIndex(state) as store:
        store.refresh()
        if args.compare:
            return rate_comparison.run(store, args.compare, as_json=args.json)
        legs, states = store.measured(), store.states()
        written, undone, writes = store.written(), store.undone(), store.writes()
        choices = store.choices()
    offers = OfferLog(state).counts()
    if not legs and not states and not any(offers.values()):
        print_error('spark: this repository has no turns yet\n  Start one: spark exec "…"')
        if not args.json:
            return 0
    found = {**summed(legs, states, written, undone, writes, choices), "next_edits": offers}
    if args.plot:
        Path(args.plot).write_text(plot(legs), encoding="utf-8")
    print(json.dumps(found) if args.json else _table(found), end="\n" if args.json else "")
    return 0


def summed(
    legs: Sequence[LegTimes],
    states: dict[str, int],
    written: int,
    undone: int,
    writes: Sequence[float] = (),
    choices: Sequence[tuple[int, int]] = (),
) -> dict[str, Any]:
    """Every figure, None where there is nothing to count. A part of the time that was not measured, or was
    none, counts in no median."""
    taken = sum(states.get(name, 0) for name in ("accepted", "edited", "applied", "undone"))
    decided = taken + states.get("rejected", 0) + states.get("dropped", 0)
    prompt = sum(leg.prompt_tokens for leg in legs)
    output = sum(leg.output_tokens for leg in legs)
    return {
        "turns": len(legs),
        "first_token_seconds": _spread([leg.first_token for leg in legs if leg.first_token > 0]),
        "queue_seconds": _spread([leg.queue for leg in legs if leg.queue > 0]),
        "network_seconds": _spread([leg.network for leg in legs if leg.network > 0]),
        "prefill_seconds": _spread([leg.prefill for leg in legs if leg.prefill > 0]),
        "generation_seconds": _spread([leg.generation for leg in legs if leg.generation > 0]),
        "apply_seconds": _spread([seconds for seconds in writes if seconds > 0]),
        "tokens_per_second": _spread([rate for leg in legs if (rate := _rate(leg)) is not None]),
        "file_tokens_per_second": _spread([rate for leg in legs if (rate := _file_rate(leg)) is not None]),
        "warm_share": round(sum(leg.reused_tokens for leg in legs) / prompt, 4) if prompt else None,
        "drafts_kept_share": round(sum(leg.drafts_kept for leg in legs) / output, 4) if output else None,
        "accept_rate": round(taken / decided, 4) if decided else None,
        "undo_rate": round(undone / written, 4) if written else None,
        "tokens": {
            "prompt": prompt,
            "output": output,
            "reasoning": sum(leg.reasoning_tokens for leg in legs),
        },
        "cost": round(sum(leg.cost for leg in legs), 6),
        "cost_by_session": _costs(legs),
        "interrupts": sum(leg.reason == "interrupted" for leg in legs),
        "choices": _meant(choices),
        "hunks": dict(sorted(states.items())),
    }


def _meant(choices: Sequence[tuple[int, int]]) -> dict[str, int]:
    """How often each of the edits that an instruction might have meant was the one, and how often none."""
    words = ("first", "second", "third")
    out = dict.fromkeys((*words, "model"), 0)
    for number, count in choices:
        out["model" if number == count else words[min(number, len(words)) - 1]] += 1
    return out


def _costs(legs: Sequence[LegTimes]) -> dict[str, float]:
    """Of the sessions that cost anything, in the order in which they last did."""
    out: dict[str, float] = {}
    for leg in legs:
        if leg.cost:
            out[leg.session] = round(out.pop(leg.session, 0.0) + leg.cost, 6)
    return out


def _rate(leg: LegTimes) -> float | None:
    """The first token is the prompt's; the others take the time."""
    if leg.output_tokens < 2 or leg.generation <= 0:
        return None
    return (leg.output_tokens - 1) / leg.generation


def _file_rate(leg: LegTimes) -> float | None:
    """Tokens of the edited files, copied ones included: what published rates of fast appliers count."""
    return leg.file_tokens / leg.generation if leg.file_tokens and leg.generation > 0 else None


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {"median": round(statistics.median(ordered), 6), "p95": round(p95, 6), "turns": len(ordered)}


def _table(found: dict[str, Any]) -> str:
    def share(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.0f} %"

    def spread(value: dict[str, float] | None, scale: float, unit: str) -> str:
        if value is None:
            return "-"
        return f"{_short(value['median'] * scale)} {unit} (p95 {_short(value['p95'] * scale)})"

    hunks = ", ".join(f"{count} {state}" for state, count in found["hunks"].items()) or "none"
    offers = {event: count for event, count in found.get("next_edits", {}).items() if count}
    meant = ", ".join(f"{count} {which}" for which, count in found["choices"].items() if count) or "-"
    rows = [
        ("turns of a model, with steers and resumes", str(found["turns"])),
        ("first token", spread(found["first_token_seconds"], 1000, "ms")),
        ("  waiting for the engine or server", spread(found["queue_seconds"], 1000, "ms")),
        ("  network", spread(found["network_seconds"], 1000, "ms")),
        ("  choosing context, prefill", spread(found["prefill_seconds"], 1000, "ms")),
        ("writing the answer", spread(found["generation_seconds"], 1000, "ms")),
        ("writing files", spread(found["apply_seconds"], 1000, "ms")),
        ("speed, decided tokens", spread(found["tokens_per_second"], 1, "tok/s")),
        ("speed, tokens of the edited files", spread(found["file_tokens_per_second"], 1, "tok/s")),
        ("prompt tokens from cache", share(found["warm_share"])),
        ("tokens from accepted drafts", share(found["drafts_kept_share"])),
        ("hunks accepted", share(found["accept_rate"])),
        ("written hunks undone", share(found["undo_rate"])),
        ("interrupts", str(found["interrupts"])),
        ("choices taken from a list", meant),
        ("hunks", hunks),
        ("next edits", ", ".join(f"{count} {event}" for event, count in offers.items()) or "-"),
    ]
    counts = found["tokens"]
    thought = f", {counts['reasoning']:,} of them reasoning" if counts["reasoning"] else ""
    rows.append(("tokens", f"{counts['prompt']:,} read, {counts['output']:,} written{thought}"))
    if found["cost"]:
        newest = list(found["cost_by_session"].values())[-1]
        rows.append(("cost", f"{found['cost']:.4g}, of it {newest:.4g} in the newest session"))
    return "".join(f"{line}\n" for line in columns(rows))


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def plot(legs: Sequence[LegTimes]) -> str:
    """Two panels, one point a turn in the order of time, the median as a line."""
    from spark_tui.mesh.svg_plot import AxesPanel, Series, lines

    def panel(label: str, values: Sequence[float | None]) -> AxesPanel:
        points = [(at, value) for at, value in enumerate(values, 1) if value is not None]
        if not points:
            return AxesPanel(f"{label}: not measured", ())
        middle = statistics.median(value for _, value in points)
        across = ((1.0, middle), (float(len(values)), middle))
        return AxesPanel(
            label, (Series("", tuple(points), joined=False), Series(f"median {middle:,.0f}", across))
        )

    panels = [
        panel("first token, ms", [leg.first_token * 1000 or None for leg in legs]),
        panel("speed, tok/s", [_rate(leg) for leg in legs]),
    ]
    return lines("The turns of this repository", "turns", panels)

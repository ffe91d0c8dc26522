"""`spark wafer predict|validate|compare|sweep|run`: the mesh simulator on the command line."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from spark_tui.bars import print_report
from spark_tui.cli import flags
from spark_tui.cli.wafer_report import row_name, validate_text
from spark_tui.errors import ExitCode, UsageError

DEFAULT_MODEL = "llama3-8b"
DEFAULT_GRIDS = "240,300,360,420,480,540,600,660,720"
_COUNT = flags.whole_number(1)
_PHASES_OF = {
    "context": ("decode",),
    "prompt": ("prefill", "e2e"),
    "output": ("e2e",),
    "prefill_grid": ("e2e",),
    "decode_grid": ("e2e",),
}
"""The options of `predict` that only some phases read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sub-commands of `spark wafer`."""
    commands = parser.add_subparsers(dest="wafer_command", required=True, metavar="VERB")

    predict = commands.add_parser("predict", help="predict the speed of a model on a wafer's grid")
    _model_and_device(predict)
    add = predict.add_argument
    add("--grid", type=_COUNT, default=420, help="side of the square grid of one stage (default: 420)")
    add("--phase", choices=("decode", "prefill", "e2e"), default="decode", help="default: decode")
    add("--context", type=_COUNT, help="for decode: context of a token, in tokens (default: 4096)")
    add("--prompt", type=_COUNT, help="for prefill and e2e: tokens of the prompt (default: 4096)")
    add("--output", type=_COUNT, help="for e2e: tokens of the answer (default: 128)")
    add("--prefill-grid", type=_COUNT, help="for e2e (default: --grid)")
    add("--decode-grid", type=_COUNT, help="for e2e (default: --grid)")
    add("--wafers", type=_COUNT, help="number of wafers (default: as many as the model needs)")
    add("--json", action="store_true", help="one JSON object")

    validate = commands.add_parser("validate", help="compare predictions with published figures")
    add = validate.add_argument
    add(
        "--rows", type=Path, action="append", metavar="FILE.csv", help="a CSV file with rows of a known table"
    )
    add("--json", action="store_true", help="one JSON object on stdout")
    add("--check", action="store_true", help="exit 1 when a bar is missed")
    add("--quick", action="store_true", help="only published rows; skip the simulator's self-checks")
    add("--plot", type=Path, metavar="FILE.svg", help="draw the error of each row")

    compare = commands.add_parser("compare", help="compare GPUs, the wafer and both together for one prompt")
    _model_and_device(compare)
    add = compare.add_argument
    add("--prompt", type=_COUNT, default=4096, help="tokens of the prompt (default: 4096)")
    add("--output", type=_COUNT, default=512, help="tokens of the answer (default: 512)")
    add("--prefill-grid", type=_COUNT, help="side of the grid that reads the prompt (default: the fastest)")
    add("--decode-grid", type=_COUNT, help="side of the grid that writes the answer (default: the fastest)")
    add("--plot", type=Path, metavar="FILE.svg", help="draw the rate of each system")
    add("--json", action="store_true", help="one JSON object")

    sweep = commands.add_parser("sweep", help="show rate and memory over grid sizes")
    _model_and_device(sweep)
    add = sweep.add_argument
    add("--context", type=_COUNT, default=4096, help="context of a token, in tokens (default: 4096)")
    add("--grids", default=DEFAULT_GRIDS, help=f"grid sides, separated by commas (default: {DEFAULT_GRIDS})")
    add("--plot", type=Path, metavar="FILE.svg", help="draw rate and memory")
    add("--json", action="store_true", help="one JSON object")

    run_ = commands.add_parser("run", help="simulate a small transformer on the cores and check its results")
    add = run_.add_argument
    add("--grid", type=_COUNT, default=8, help="side of the grid (default: 8)")
    add("--heads", type=_COUNT, default=4, help="attention heads (default: 4)")
    add("--layers", type=_COUNT, default=2, help="layers (default: 2)")
    add("--width", type=_COUNT, default=64, help="width of the model (default: 64)")
    add("--tokens", type=_COUNT, default=6, help="tokens to decode after a prompt of 8 (default: 6)")
    add("--fp16", action="store_true", help="store tiles in fp16")
    add("--trace", type=Path, metavar="FILE.json", help="write a trace of one token for Chrome or Perfetto")
    add("--json", action="store_true", help="one JSON object")


def _model_and_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        default=DEFAULT_MODEL,
        help=f"a preset, or a Hugging Face config.json (default: {DEFAULT_MODEL})",
    )
    parser.add_argument("--device", default="wse2", help="wse2, wse3, mini8, or a TOML file (default: wse2)")


def run(args: argparse.Namespace) -> int:
    """Run the command. Errors are `SparkError`s; the caller prints them and exits with their code."""
    runs = {"predict": _predict, "validate": _validate, "compare": _compare, "sweep": _sweep, "run": _run}
    return runs[args.wafer_command](args)


def _emit(args: argparse.Namespace, answer: dict[str, Any], text: str) -> None:
    if args.json:
        print(json.dumps(answer))
    else:
        print(text)


def _predict(args: argparse.Namespace) -> int:
    from spark_tui.mesh.estimates import prediction
    from spark_tui.mesh.facts import model_shapes, wafer

    for name, phases in _PHASES_OF.items():
        if getattr(args, name) is not None and args.phase not in phases:
            raise UsageError(
                f"--{name.replace('_', '-')} has no effect on --phase {args.phase}",
                hint=f"It is for {' and '.join(f'--phase {phase}' for phase in phases)}.",
            )
    shape, device = model_shapes.load(args.model), wafer.load(args.device)
    prompt = args.prompt or 4096
    if args.phase == "decode":
        answer = prediction.decode(shape, device, args.grid, args.context or 4096, args.wafers)
    elif args.phase == "prefill":
        answer = prediction.prefill(shape, device, args.grid, prompt, args.wafers)
    else:
        before, after = args.prefill_grid or args.grid, args.decode_grid or args.grid
        answer = prediction.end_to_end(shape, device, prompt, args.output or 128, before, after, args.wafers)
    _emit(args, answer, _predict_text(answer))
    return int(ExitCode.DONE)


def _predict_text(answer: dict[str, Any]) -> str:
    lines = [
        f"{answer['model']} on {answer['device']}, {answer['phase']}, grid {answer['grid']} ×"
        f" {answer['grid']}"
    ]
    if "e2e_tokens_per_second" in answer:
        lines.append(
            f"  {answer['e2e_tokens_per_second']:,.1f} tok/s end to end: prompt {1e3 * answer['ttft_s']:.1f}"
            f" ms, move {1e3 * answer['replacement_s']:.1f} ms, answer {1e3 * answer['decode_s']:.1f} ms"
        )
    lines.append(f"  {answer['tokens_per_second']:,.1f} tok/s")
    if answer["phase"] != "prefill" and answer["stages"] > 1:
        whole = answer["cycles_per_layer"] * answer["layers_per_stage"] * answer["stages"]
        lines.append(
            f"  {answer['pipelined_tokens_per_second']:,.1f} tok/s with a sequence in every stage; the"
            f" handover takes {100 * answer['handover_cycles_per_token'] / whole:.2f} % more"
        )
    if answer["phase"] == "prefill":
        lines.append(f"  first token after {1e3 * answer['ttft_s']:.1f} ms")
    lines += [
        (
            f"  {answer['cycles_per_layer']:,.0f} cycles a layer ({answer['unfitted_cycles_per_layer']:,.0f}"
            " unfitted)"
        ),
        f"  {answer['sram_bytes_per_core']:,} of {answer['sram_limit_bytes']:,} bytes a core",
        f"  stages: {answer['stages']} of {answer['layers_per_stage']} layers; wafers: {answer['wafers']}",
        "  fitted: " + ", ".join(f"{name} {value:g}" for name, value in answer["constants"].items()),
    ]
    return "\n".join(lines)


def _validate(args: argparse.Namespace) -> int:
    from spark_tui.mesh import svg_plot, validation
    from spark_tui.mesh.facts import published_tables

    found = [published_tables.read(path) for path in args.rows] if args.rows else None
    report = validation.report(found, quick=args.quick)
    if args.plot:
        judged = [row for row in report["rows"] if row["error_pct"] is not None]
        lines = [svg_plot.BarLine(f"{row['table']} {row_name(row)}", abs(row["error_pct"])) for row in judged]
        title = "Error of each prediction against the published figure"
        args.plot.write_text(svg_plot.bars(title, [svg_plot.BarPanel("%", lines)]), "utf-8")
    print_report(validate_text(report), as_json=args.json)
    if args.json:
        print(json.dumps(report))
    missed = [bar for bar in report["bars"] if not bar["ok"]]
    return int(ExitCode.NOTHING if args.check and missed else ExitCode.DONE)


def _compare(args: argparse.Namespace) -> int:
    from spark_tui.mesh import svg_plot
    from spark_tui.mesh.estimates import prediction
    from spark_tui.mesh.facts import model_shapes, wafer

    shape, device = model_shapes.load(args.model), wafer.load(args.device)
    rows = prediction.compare(shape, device, args.prompt, args.output, args.prefill_grid, args.decode_grid)
    title = f"{shape.name}, prompt {args.prompt}, answer {args.output}"
    if args.plot:
        items = [svg_plot.BarLine(row["system"], row["e2e_tokens_per_second"]) for row in rows]
        args.plot.write_text(svg_plot.bars(title, [svg_plot.BarPanel("end to end, tok/s", items)]), "utf-8")
    head = (
        f"{'system':<28} {'first token':>12} {'transfer':>10} {'decode tok/s':>13} {'end to end':>11}"
        f" {'tok/s':>9}"
    )
    lines = [title, head]
    lines += [
        f"{row['system']:<28} {1e3 * row['ttft_s']:>9.1f} ms {1e3 * row['transfer_s']:>7.2f} ms"
        f" {row['decode_tokens_per_second']:>13,.1f} {1e3 * row['e2e_s']:>8.1f} ms"
        f" {row['e2e_tokens_per_second']:>9,.1f}"
        for row in rows
    ]
    answer = {
        "model": shape.name,
        "device": device.name,
        "prompt": args.prompt,
        "output": args.output,
        "io_bytes_per_second": device.io_bytes_per_second,
        "rows": rows,
    }
    _emit(args, answer, "\n".join(lines))
    return int(ExitCode.DONE)


def _sweep(args: argparse.Namespace) -> int:
    from spark_tui.mesh.estimates import prediction
    from spark_tui.mesh.facts import model_shapes, wafer

    shape, device = model_shapes.load(args.model), wafer.load(args.device)
    try:
        grids = [int(part) for part in args.grids.split(",") if part.strip()]
    except ValueError:
        raise UsageError(f"--grids takes whole numbers separated by commas, not {args.grids!r}") from None
    if not grids:
        raise UsageError("--grids is empty")
    rows = prediction.sweep(shape, device, args.context, grids)
    fitting = [row for row in rows if row["fits"]]
    if args.plot:
        title = f"{shape.name} on {device.name}: one sequence, {args.context} keys"
        args.plot.write_text(_sweep_plot(title, fitting), "utf-8")
    head = (
        f"{'grid':>5} {'decode tok/s':>13} {'prefill tok/s':>14} {'bytes a core':>13} {'stages':>7}"
        f" {'wafers':>7}"
    )
    lines = [f"{shape.name} on {device.name}, {args.context} keys", head]
    for row in rows:
        if not row["fits"]:
            lines.append(f"{row['grid']:>5} {row['why']}")
            continue
        prefill = row["prefill_tokens_per_second"]
        lines.append(
            f"{row['grid']:>5} {row['decode_tokens_per_second']:>13,.1f} "
            f"{'no room' if prefill is None else f'{prefill:,.1f}':>14} {row['sram_bytes_per_core']:>13,} "
            f"{row['stages']:>7} {row['wafers']:>7}"
        )
    _emit(
        args,
        {"model": shape.name, "device": device.name, "context": args.context, "rows": rows},
        "\n".join(lines),
    )
    return int(ExitCode.DONE if fitting else ExitCode.MISFIT)


def _sweep_plot(title: str, rows: list[dict[str, Any]]) -> str:
    from spark_tui.mesh import svg_plot

    def series(name: str, key: str, scale: float = 1.0) -> svg_plot.Series:
        return svg_plot.Series(
            name, tuple((float(row["grid"]), row[key] * scale) for row in rows if row[key] is not None)
        )

    panels = [
        svg_plot.AxesPanel("decode, tok/s", (series("decode", "decode_tokens_per_second"),)),
        svg_plot.AxesPanel("prefill, tok/s", (series("prefill", "prefill_tokens_per_second"),)),
        svg_plot.AxesPanel(
            "SRAM of the fullest core, KiB", (series("SRAM", "sram_bytes_per_core", 1 / 1024),)
        ),
    ]
    return svg_plot.lines(title, "side of the grid (cores)", panels)


def _run(args: argparse.Namespace) -> int:
    from spark_tui.mesh.simulated import demo

    answer = demo.run(
        side=args.grid,
        heads=args.heads,
        layers=args.layers,
        width=args.width,
        tokens=args.tokens,
        fp16=args.fp16,
        trace=args.trace,
    )
    lines = [
        (
            f"{answer['layers']} layers, {answer['heads']} heads, width {answer['width']}, {args.grid} ×"
            f" {args.grid} cores"
        ),
        f"  prompt of {answer['prompt']} tokens: {answer['prefill_cycles']:,.0f} cycles",
        (
            f"  {answer['tokens']} tokens: {answer['decode_cycles']:,.0f} cycles,"
            f" {answer['tokens_per_second']:,.0f} tok/s"
        ),
        (
            f"  largest difference to dense numpy: {answer['relative_error']:.2e} of the largest logit "
            f"(limit {answer['limit']:.0e})"
        ),
        f"  keys lie {answer['keys_by_row']} by row after {answer['shifts']} one-hop shifts",
        "  use of each core's ALU in the last token, in tenths:",
        *(f"    {line}" for line in answer["core_use"]),
    ]
    if args.trace:
        lines.append(f"  {answer['spans']} spans in {args.trace}")
    _emit(args, answer, "\n".join(lines))
    return int(ExitCode.DONE if answer["ok"] else ExitCode.NOTHING)

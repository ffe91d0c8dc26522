"""`spark bench passes`: forward passes of a few rows as a share of the machine's roofline."""

from __future__ import annotations

import argparse

from spark_tui.bars import Bar
from spark_tui.bench.measuring.model_argument import add_models, place_of
from spark_tui.bench.measuring.reporting import Report
from spark_tui.config import paths
from spark_tui.engine import load
from spark_tui.engine.kernels.int8_products import available
from spark_tui.engine.performance.kernel_timing import pass_shares
from spark_tui.engine.performance.roofline_store import process_roofline

ROWS = (1, 2, 4, 8, 16, 24)
BAR_MODEL = "25M"
DEFAULT_MODELS = ("built-in", "12M", BAR_MODEL)
SHARE_BARS = {1: 0.70, 16: 0.50}
"""Rows of a pass, and the share of the roofline that it has to reach."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_models(parser, default=", ".join(DEFAULT_MODELS))


def measure(args: argparse.Namespace) -> Report:
    report = Report("passes")
    roofline, _ = process_roofline(paths.cache_dir())
    for model in args.model or DEFAULT_MODELS:
        for weights in ("fp32", "int8") if available() else ("fp32",):
            engine = load(place_of(model) or f"random:{model}", threads=1)
            if weights == "int8" and not engine.accelerate(wait=True):
                continue
            for pass_share in pass_shares(engine.model, roofline, ROWS, tries=15 if args.quick else 60):
                share = None if pass_share.share is None else round(pass_share.share, 3)
                row = {"model": model, "weights": weights, "rows": pass_share.rows}
                report.rows.append(
                    {**row, "best ms": round(1000 * pass_share.seconds, 3), "of roofline": share}
                )
                if model == BAR_MODEL and pass_share.rows in SHARE_BARS:
                    name = f"{model} {weights}, pass of {pass_share.rows} rows, share of the roofline"
                    report.bars.append(Bar(name, share, SHARE_BARS[pass_share.rows]))
    return report

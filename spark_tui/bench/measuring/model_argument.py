"""Which model a bench's `--model` means: a built-in one by name, a folder or file, or a size with random
weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from spark_tui.backends.factory import built_in_models
from spark_tui.config import paths
from spark_tui.engine.engine import RANDOM

BUILT_IN = "built-in"
METAVAR = "NAME|SIZE|DIR"
KINDS = "a built-in model, a size with random weights (12M, 25M, 135M, ...), a folder or a file"


def add_model(parser: argparse.ArgumentParser, *, default: str) -> None:
    """`--model` of a bench that measures one."""
    help_text = f"{KINDS} (default: {default})"
    parser.add_argument("--model", default=default, type=named, metavar=METAVAR, help=help_text)


def add_models(parser: argparse.ArgumentParser, *, default: str) -> None:
    """`--model` of a bench that measures several: None without it."""
    help_text = f"{KINDS}; repeatable (default: {default})"
    parser.add_argument("--model", action="append", type=named, metavar=METAVAR, help=help_text)


def named(text: str) -> str:
    """For argparse: sizes are written `12M` here and `random:12M` elsewhere; both are understood."""
    return text.removeprefix(RANDOM)


def place_of(model: str) -> Path | None:
    """The folder or file of a built-in model or of a path; None for what can only be a size."""
    names = built_in_models()
    if model == BUILT_IN and names:
        return paths.models_dir() / names[0]
    if model in names:
        return paths.models_dir() / model
    path = Path(model).expanduser()
    return path if path.exists() else None

"""Flags that several doors share, and the settings that they lead to.

Comes in: an argparse parser, later its result. Goes out: `config.Loaded` and the folder that spark was started on.
Must not know: what the settings are used for.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from spark_tui import config
from spark_tui.context.ignoring import is_secret
from spark_tui.errors import NoPlace, Refused, UsageError
from spark_tui.paths import real_path

_KEYS = (
    "model.name",
    "model.connect",
    "model.api",
    "model.replay",
    "model.pace",
    "model.max_tokens",
    "edit.format",
    "ui.theme",
    "ui.mouse",
)


_AGES = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-C", "--directory", metavar="DIR", default=".", help="work as if started in DIR (default: the current folder)"
    )


def add_backend(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where the text comes from")
    group.add_argument("--model", dest="model.name", metavar="NAME|DIR", help="a built-in model or a folder with one")
    group.add_argument(
        "--connect", dest="model.connect", metavar="URL", help="a server to ask instead, as http://host:8000/v1"
    )
    group.add_argument("--api", dest="model.api", metavar="API", help="what that server speaks (default: it is asked)")
    group.add_argument(
        "--replay", dest="model.replay", metavar="PATH", help="play a recording, or the nearest of a folder"
    )
    group.add_argument(
        "--pace",
        dest="model.pace",
        metavar="PACE",
        help="how fast text appears: recorded, off, tokens per second, or as a wafer or h100 would write it",
    )
    group.add_argument("--max-tokens", dest="model.max_tokens", type=int, metavar="N", help="most tokens of an answer")
    group.add_argument("--format", dest="edit.format", metavar="FORMAT", help="edit format asked of the model")


def load(args: argparse.Namespace, root: Path | None) -> config.Loaded:
    """Settings of all four places, with these flags as the last word."""
    values: dict[str, Any] = {key: getattr(args, key, None) for key in _KEYS}
    return config.load(root, flags=values)


def age(text: str) -> float:
    """For argparse: seconds."""
    if text[-1:] in _AGES and text[:-1].isdecimal():
        return float(int(text[:-1]) * _AGES[text[-1]])
    raise argparse.ArgumentTypeError(f"not an age: {text!r} (such as 30d, 12h, 90s)")


def count(text: str) -> int:
    """For argparse."""
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"not a count: {text!r}")


def directory(args: argparse.Namespace) -> Path:
    path = Path(args.directory)
    if not path.is_dir():
        raise NoPlace("no such folder", where=str(path), hint="Name an existing folder with -C.")
    return path.resolve()


def named_file(root: Path, directory: Path, path: str) -> str:
    """A file as it was typed, from where it was typed, as a session names it: from the root. Links are followed, but to
    no file that may hold secrets unless the name that was typed says so."""
    found = real_path(directory / path)
    if not found.is_relative_to(root.resolve()):
        raise Refused("is outside of the tree that spark works in", where=path, hint=f"The tree is {root}.")
    if not found.is_file():
        raise UsageError("no such file", where=path, hint="Paths are taken from the current folder (or from -C).")
    name = found.relative_to(root.resolve()).as_posix()
    if is_secret(name) and not is_secret((directory / path).as_posix()):
        raise Refused(f"leads to {name}, which may hold secrets", where=path, hint=f"Name it to show it: -f {name}")
    return name

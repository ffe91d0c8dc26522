"""Flags shared by several commands, and the settings that result from them."""

from __future__ import annotations

import argparse
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from spark_tui.config import settings
from spark_tui.config.paths import checkout_around, real_path
from spark_tui.errors import ConfigError, NoPlace, Refused, UsageError

_KEYS = (
    "model.name",
    "model.connect",
    "model.api",
    "model.effort",
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
        "-C",
        "--directory",
        metavar="DIR",
        default=".",
        help="run as if started in DIR (default: the current folder)",
    )


def add_to_verbs(
    parser: argparse.ArgumentParser,
    verbs: Sequence[argparse.ArgumentParser],
    as_json: Sequence[argparse.ArgumentParser],
    json_help: str = "print one JSON object per line",
) -> None:
    """`-C`, and `--json` for some verbs, in front of the verb or after it. What stands in front holds too,
    so a verb has no default of its own."""
    add_place(parser)
    parser.add_argument("--json", action="store_true", help=json_help)
    for verb in as_json:
        verb.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=json_help)
    for verb in verbs:
        verb.add_argument("-C", "--directory", metavar="DIR", default=argparse.SUPPRESS, help="as above")


def add_backend(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("model").add_argument
    add("--model", dest="model.name", metavar="NAME|DIR", help="a built-in model, or a folder with a model")
    add(
        "--connect",
        dest="model.connect",
        metavar="NAME|URL",
        help="use this server instead: http://host:8000/v1, or a name of `spark connect` (openai, anthropic,"
        " ollama, …). Its key is read from the environment (SPARK_API_KEY, OPENAI_API_KEY, …) or the keyring",
    )
    add(
        "--api",
        dest="model.api",
        metavar="API",
        help="API of that server: responses, chat, messages (Anthropic's) or spark (default: detect it)",
    )
    add(
        "--effort",
        dest="model.effort",
        metavar="EFFORT",
        help="how long a server's model thinks before it answers: low, medium or high",
    )
    add(
        "--replay",
        dest="model.replay",
        metavar="PATH",
        help="play a recording; from a folder, the one nearest to the prompt",
    )
    add(
        "--pace",
        dest="model.pace",
        metavar="PACE",
        help="maximum speed of text: recorded, off, tokens per second, wafer or h100",
    )
    add("--max-tokens", dest="model.max_tokens", type=int, metavar="N", help="maximum tokens of an answer")
    add(
        "--format",
        dest="edit.format",
        metavar="FORMAT",
        help="edit format to ask the model for: lines, search_replace, apply_patch, udiff or whole",
    )


def load(args: argparse.Namespace, root: Path | None) -> settings.LoadedSettings:
    """Settings of all four places, with these flags as the last word."""
    values: dict[str, Any] = {key: getattr(args, key, None) for key in _KEYS}
    try:
        return settings.load(root, flags=values)
    except ConfigError as error:
        key = next((key for key in _KEYS if error.what.startswith(f"`{key}`")), "")
        if not key or error.where != settings.COMMAND_LINE:
            raise
        option = "model" if key == "model.name" else key.rpartition(".")[2].replace("_", "-")
        raise UsageError(error.what.replace(f"`{key}`", f"--{option}"), hint=error.hint) from None


def age(text: str) -> float:
    """For argparse: seconds."""
    if text[-1:] in _AGES and text[:-1].isdecimal():
        return float(int(text[:-1]) * _AGES[text[-1]])
    raise argparse.ArgumentTypeError(f"not an age: {text!r} (use 30d, 12h or 90s)")


def whole_number(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """For argparse: whole numbers in this range."""

    def count(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"must be at most {most}")
        return number

    return count


def seconds(text: str) -> float:
    """For argparse: more than none."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not number > 0:
        raise argparse.ArgumentTypeError("must be above 0")
    if number > threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"must be at most {threading.TIMEOUT_MAX:.0f}")
    return number


def check_writable(files: Iterable[Path]) -> None:
    """Asked before a measurement begins: a run of an hour does not end in a file that cannot be made."""
    for path in files:
        if path.is_dir() or not path.parent.is_dir():
            what = "is a folder" if path.is_dir() else "is in a folder that does not exist"
            raise UsageError(what, where=str(path), hint="Name a file in a folder that exists.")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise Refused("cannot be written", where=str(path), hint="Check its owner and permissions.")


def directory(args: argparse.Namespace) -> Path:
    return folder(args.directory, "-C")


def folder(name: str, flag: str) -> Path:
    path = Path(name)
    if not path.is_dir():
        what = "this is not a folder" if path.exists() else "no such folder"
        raise NoPlace(what, where=name, hint=f"Name an existing folder with {flag}.")
    try:
        return path.resolve()
    except FileNotFoundError:
        hint = f"Change to another one, or name one with {flag}."
        raise NoPlace("the current folder no longer exists", hint=hint) from None


def file_to_edit(root: Path, directory: Path, path: str) -> str:
    """A named file that is in no submodule: nothing could be written there."""
    from spark_tui.workspace.repository import find_repository, ignored  # loaded where a file is named only

    name = named_file(root, directory, path)
    if checkout_around((root / name).parent) != root and (repo := find_repository(root)):
        ignored(repo, [name])  # git refuses to look into a submodule
    return name


def named_file(root: Path, directory: Path, path: str) -> str:
    """A file as it was typed, from where it was typed, as a session names it: from the root. Links are
    followed, but to no file that may hold secrets unless the name that was typed says so."""
    from spark_tui.context.ignore_rules import is_secret  # loaded where a file is named only

    if not path:
        raise UsageError("a file has no name", hint="Name a text file.")
    found = real_path(directory / path)
    if not found.is_relative_to(root.resolve()):
        raise Refused("this is outside the working tree", where=path, hint=f"spark works in {root}.")
    if found.is_dir():
        raise UsageError("this is a folder", where=path, hint="Name a file in it.")
    if found.exists() and not found.is_file():
        raise UsageError("this is not a regular file", where=path, hint="Name a text file.")
    if not found.is_file():
        from spark_tui.context.file_list import no_such_file  # loaded for the mistake only
        from spark_tui.workspace.repository import check_checked_out, find_repository

        if repo := find_repository(root):
            check_checked_out(repo, [found.relative_to(repo.root.resolve()).as_posix()])
        beside = [file for file in found.parent.glob("*") if file.is_file() and not is_secret(file.name)]
        what = no_such_file(path, [Path(path).with_name(file.name).as_posix() for file in beside])
        raise UsageError(what, where=path, hint="Paths are relative to the current folder, or to -C.")
    name = found.relative_to(root.resolve()).as_posix()
    if is_secret(name) and not is_secret((directory / path).as_posix()):
        raise Refused(
            f"is a link to {name}, which may hold secrets", where=path, hint=f"To show it anyway: -f {name}"
        )
    return name

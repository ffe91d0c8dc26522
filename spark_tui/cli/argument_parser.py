"""Parses a command line; reports a mistake in two lines, like every other error."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from spark_tui.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_MISSING = re.compile(r"the following arguments are required: (.+)")
_NUMBER = re.compile(r"invalid (int|float) value: (.+)")
_CHOICE = re.compile(r"argument (.+): invalid choice: (.+?)(?:, maybe you meant .+\?)? \(choose from (.+)\)")
"""Python 3.15 suggests one of them itself."""


class ArgumentParser(argparse.ArgumentParser):
    """Raises a `UsageError` where argparse would print its usage and exit, and an `OSError` where it would
    ignore that its help cannot be written."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        print(message, end="", file=file)
        sys.stdout.flush()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Reports here what a sub-command does not know: its help lists what it knows, not its parent's."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        help_line = f"`{self.prog} --help` lists its arguments."
        unknown, missing = _UNKNOWN.match(message), _MISSING.match(message)
        if unknown is not None:
            word = unknown[1]
            # One that the command takes in another place would be its own nearest.
            others = {*self._option_string_actions} - {word.split("=")[0]}
            near = difflib.get_close_matches(word.split("=")[0], others, n=1)
            what = f"unknown option {word}" if word.startswith("-") else f"unexpected argument {word}"
            raise UsageError(what, hint=f"Did you mean {near[0]}? {help_line}" if near else help_line)
        if missing is not None:
            named = {item.metavar or item.dest: item.choices for item in self._actions if item.choices}
            needed = f"one of {', '.join(named[missing[1]])}" if missing[1] in named else missing[1]
            raise UsageError(f"`{self.prog}` needs {needed}", hint=help_line)
        if (choice := _CHOICE.match(message)) is not None:
            option, word, known = choice[1], choice[2].strip("'"), re.findall(r"[^', ]+", choice[3])
            near = difflib.get_close_matches(word, known, n=1)
            what = f"{option}: {word}" if option.startswith("-") else word
            hint = f"Did you mean {near[0]}? {help_line}" if near else help_line
            raise UsageError(f"{what} is not one of {', '.join(known)}", hint=hint)
        kinds = {"int": "a whole number", "float": "a number"}
        said = _NUMBER.sub(lambda found: f"{found[2]} is not {kinds[found[1]]}", message)
        raise UsageError(said.removeprefix("argument "), hint=help_line)

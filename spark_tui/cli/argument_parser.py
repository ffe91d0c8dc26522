"""The parser of a command line: what is wrong with it is said in two lines, as every other error."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import NoReturn

from spark_tui.errors import UsageError

_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_MISSING = re.compile(r"the following arguments are required: (.+)")


class ArgumentParser(argparse.ArgumentParser):
    """Raises a `UsageError` where argparse would print its usage and leave."""

    def error(self, message: str) -> NoReturn:
        help_line = f"`{self.prog} --help` lists what it takes."
        unknown, missing = _UNKNOWN.match(message), _MISSING.match(message)
        if unknown is not None:
            word = unknown[1]
            near = difflib.get_close_matches(word.split("=")[0], self._option_string_actions, n=1)
            what = f"unknown option {word}" if word.startswith("-") else f"unexpected argument {word}"
            raise UsageError(what, hint=f"Did you mean {near[0]}? {help_line}" if near else help_line)
        if missing is not None:
            raise UsageError(f"`{self.prog}` needs {missing[1]}", hint=help_line)
        raise UsageError(message.removeprefix("argument "), hint=help_line)

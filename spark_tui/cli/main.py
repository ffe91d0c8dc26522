"""The command line: import only the chosen command, and turn every error into a message and an exit code."""

from __future__ import annotations

import contextlib
import errno
import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from spark_tui import __version__

if TYPE_CHECKING:
    import argparse

    from spark_tui.errors import SparkError


class Command(NamedTuple):
    """A command: its name and one line of help."""

    name: str
    summary: str
    own_help: bool = False
    """Whether its `add_arguments` adds `--help` itself."""

    @property
    def module(self) -> str:
        """The module with `add_arguments(parser)` and `run(args)`."""
        return f"spark_tui.cli.commands.{self.name or 'workbench'}"


class CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, args: argparse.Namespace) -> int: ...


WORKBENCH = Command("", "open the workbench in this repository")
COMMANDS = (
    Command("exec", "run one turn without a screen; prints a patch, or events with --json"),
    Command("work", "start a background job in its own worktree"),
    Command("jobs", "list, show, stop, review and drop background jobs"),
    Command("watch", "run a command on demand, after writes or on save, and list its problems"),
    Command("sessions", "list, search, resume, fork, rename, export and delete sessions"),
    Command("context", "print what the model would be shown, with token counts"),
    Command("stats", "show statistics of your turns: first token, speed, decisions"),
    Command("record", "save a turn as a recording that --replay plays"),
    Command("patch", "apply a model's answer, in any edit format, to the files"),
    Command("refactor", "make an exact edit of Python code in the whole repository", own_help=True),
    Command("checkpoints", "list, show, restore and prune checkpoints"),
    Command("models", "list, describe and check models"),
    Command("connect", "list, test and choose servers with models"),
    Command("generate", "generate text with a model"),
    Command("serve", "serve models to other programs over HTTP and WebSocket"),
    Command("acp", "act as an agent for editors that speak ACP"),
    Command("mcp", "offer exact edits to other programs as MCP tools"),
    Command("eval", "measure how good a model's edits are"),
    Command("promote", "make a model the default, if it meets your criteria"),
    Command("bench", "measure speed"),
    Command("wafer", "predict what a wafer-scale engine would do"),
    Command("doctor", "check this machine and say how to fix each problem"),
    Command("completions", "print completions for bash, zsh or fish"),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `spark`. An error is one message on stderr; only a bug in spark prints a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words in (["--version"], ["-V"]) and sys.stdout is not None:
        with contextlib.suppress(OSError):  # the parser says it
            print(f"spark {__version__}", flush=True)
            return 0
    from spark_tui.cli import output
    from spark_tui.engine.runtime.machine import share_one_heap
    from spark_tui.errors import SparkError, is_full

    output.prepare()
    share_one_heap()
    try:
        code = _dispatch(words)
        # Python would do this when it ends, too late for a message.
        if not sys.stdout.closed:  # `spark acp` ends by closing it
            sys.stdout.flush()
        return code
    except SparkError as error:
        print(f"spark: {error}", file=sys.stderr)
        return int(error.exit_code)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of the pipe closed it (`spark context … | head`), which is fine.
        output.close_stdout()
        return 0
    except Exception as error:
        if isinstance(error, MemoryError):
            message = _too_little_memory(error)
        elif isinstance(error, OSError) and (
            error.filename or is_full(error) or error.errno in (errno.EBADF, errno.EFBIG) or _no_folder(error)
        ):
            message = _unusable(error)
            if not error.filename:
                output.close_stdout()
        else:
            return _crashed()
        print(f"spark: {message}", file=sys.stderr)
        return int(message.exit_code)


def _crashed() -> int:
    import traceback

    from spark_tui.errors import ExitCode

    traceback.print_exc()
    print("spark: this is a bug in spark, not a mistake of yours", file=sys.stderr)
    return int(ExitCode.CRASHED)


def _dispatch(words: list[str]) -> int:
    command = _BY_NAME.get(words[0], WORKBENCH) if words else WORKBENCH
    if command is WORKBENCH and words and not words[0].startswith("-") and not _is_path(words[0]):
        raise _unknown(words[0])
    if words[2:] and words[0].startswith("-") and words[2] in _BY_NAME:
        from spark_tui.errors import UsageError

        hint = f"Write `spark {words[2]} … {words[0]} {words[1]}`."
        raise UsageError("the command comes before its options", hint=hint)
    module = load_command(command)
    parser = build_parser(command, module)
    args = parser.parse_args(words[1:] if command is not WORKBENCH else words)
    return module.run(args)


def load_command(command: Command) -> CommandModule:
    return cast(CommandModule, importlib.import_module(command.module))


def build_parser(command: Command, module: CommandModule) -> argparse.ArgumentParser:
    import argparse

    from spark_tui.cli.argument_parser import ArgumentParser

    epilog = None
    if command is WORKBENCH:
        rows = "\n".join(f"  {other.name:<12} {other.summary}" for other in COMMANDS)
        epilog = f"commands (`spark COMMAND --help` for each):\n{rows}"
    parser = ArgumentParser(
        prog=f"spark {command.name}".strip(),
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=not command.own_help,
    )
    if command is WORKBENCH:
        parser.add_argument("-V", "--version", action="version", version=f"spark {__version__}")
    module.add_arguments(parser)
    return parser


def _unusable(error: OSError) -> SparkError:
    """The error for a file that can be neither read nor written."""
    from spark_tui.errors import FULL, NoPlace, Refused, UsageError, is_full, remedy

    if error.errno == errno.EFBIG:
        what = "a file would be larger than it may be"
        return NoPlace(what, where=str(error.filename or ""), hint=f"{remedy(error, '')}.")
    if _no_folder(error):
        hint = "Make room on the disk or raise the limit on the size of files (ulimit -f), or set TMPDIR."
        return NoPlace("no folder for temporary files can be written to", hint=hint)
    if is_full(error):
        return NoPlace(FULL, where=str(error.filename or ""), hint="Make room on it.")
    if not error.filename:
        return NoPlace("the output is closed", hint="Leave stdout open, or send it to a file or /dev/null.")
    kind = Refused if isinstance(error, PermissionError) else UsageError
    what = f"cannot use this file: {error.strerror or error}"
    return kind(what, where=str(error.filename), hint="Check the path and its permissions.")


def _no_folder(error: OSError) -> bool:
    """Whether Python found no folder in which it can write temporary files."""
    return error.errno == errno.ENOENT and "temporary directory" in str(error.strerror)


def _too_little_memory(error: MemoryError) -> SparkError:
    from spark_tui.errors import Misfit

    asked = str(error).split(" for an array")[0]
    hint = "Raise the limit of this shell or container, close other programs, or choose a smaller model."
    return Misfit("there is too little memory" + (f": {asked}" if asked else ""), hint=hint)


def _is_path(word: str) -> bool:
    """Whether a word names something to open, or looks like a mistyped path rather than a command."""
    from pathlib import Path

    from spark_tui.cli import opened_path

    shaped = bool({"/", "."} & {*word}) and not any(item.isspace() for item in word)
    return shaped or opened_path.read(word, Path()) is not None


_ELSEWHERE = {
    "undo": "checkpoints restore ID",
    "redo": "checkpoints restore ID",
    "resume": "--session last",
    "review": "--session last",
    "apply": "patch",
    "help": "--help",
    "version": "--version",
}
"""What other programs call what is done here with other words."""


def _unknown(word: str) -> Exception:
    import difflib

    from spark_tui.errors import UsageError

    near = [_ELSEWHERE[word]] if word in _ELSEWHERE else difflib.get_close_matches(word, _BY_NAME, n=1)
    hint = f"Did you mean `spark {near[0]}`?" if near else f'To ask for an edit, run `spark exec "{word} …"`.'
    return UsageError(f"unknown command {word!r}", hint=hint + " `spark --help` lists the commands.")

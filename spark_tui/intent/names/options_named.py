"""The names of the options of a command line."""

from __future__ import annotations

import ast

from spark_tui.intent.context.lookup import key

OPTION_CALLS = ("add_argument", "add_option", "option", "argument", "Option", "Argument")


def called(node: ast.Call) -> list[str]:
    """The strings that a call begins with, as names: `--dry-run` is `dryrun`."""
    texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return [key(text.lstrip("-")) for text in texts]

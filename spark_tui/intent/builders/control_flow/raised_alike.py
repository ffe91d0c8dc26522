"""Errors that are raised as the program raises them elsewhere."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.syntax.walking import walk

_PLAIN = (ast.Name, ast.Attribute)


def with_subject(context: Context, anchor: Anchor, kind: str, condition: str) -> str:
    """The error with what is tested, where its class is raised with nothing but a value everywhere in the
    file: `raise UnknownUnit(unit)`; so is the error of a key."""
    tree = context.source(anchor.path).tree
    raised = [node.exc for node in walk(tree) if isinstance(node, ast.Raise)] if tree is not None else []
    made = [node for node in raised if isinstance(node, ast.Call) and ast.unparse(node.func) == kind]
    of_key = kind == "KeyError" and re.fullmatch(r"[\w.]+ not in .+", condition) is not None
    if not (made or of_key) or not all(
        len(item.args) == 1 and isinstance(item.args[0], _PLAIN) for item in made
    ):
        return ""
    subject = subject_of(condition)
    return f"{kind}({subject})" if subject else ""


def subject_of(condition: str) -> str:
    """The variable or attribute that a condition tests; empty where it tests anything else."""
    test = parsed(condition)
    if isinstance(test, ast.UnaryOp):
        test = test.operand
    subject = test.left if isinstance(test, ast.Compare) else test
    return ast.unparse(subject) if isinstance(subject, _PLAIN) else ""

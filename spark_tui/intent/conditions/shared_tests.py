"""One test that applies to each of several names: *src or dst is not in UNITS*, and a relation that is said
once of several: `width and height must be positive`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.facts.boolean_values import takes_bool
from spark_tui.intent.words.phrases import words
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import ORDERED, walk

_OF_A_VALUE = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def apply_to_each(code: str, root: ast.AST | None, text: str) -> str:
    """`a or b not in c`, as people say it, with the test of both: `a not in c or b not in c`. A name that is
    true or false in the code at hand stays a test of its own."""
    tree = ast.parse(code, mode="eval").body
    if not isinstance(tree, ast.BoolOp) or not isinstance(tree.op, ast.Or) or root is None:
        return code
    *first, last = tree.values
    if isinstance(last, ast.UnaryOp) and isinstance(last.op, ast.Not) and text != code:
        subject, form = last.operand, "not {}"
    elif isinstance(last, ast.Compare) and isinstance(last.ops[0], _OF_A_VALUE):
        shown = ast.unparse(last.left)
        subject, form = last.left, f"{{}}{code[code.rindex(f'{shown} ') + len(shown) :]}"
    else:
        return code
    names = [node.id for node in (*first, subject) if isinstance(node, ast.Name)]
    if len(names) <= len(first) or set(names) & _flags(root):
        return code
    return " or ".join(form.format(name) for name in names)


def _flags(root: ast.AST) -> set[str]:
    """The names that are set to true or false in code, also by default."""
    found = set()
    for node in walk(root):
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Constant) and isinstance(value.value, bool):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, Function):
            found |= {parameter.arg for parameter in parameters(node) if takes_bool(node, parameter.arg)}
    return found


def share_relation(codes: Sequence[str], subject: str, last: str, kind: str) -> list[str]:
    """The tests of names that are joined, each with the relation that the last one has to its subject; `last`
    are its words. Of names joined by *or* a comparison by order is shared in the singular, too."""
    test = ast.parse(codes[-1], mode="eval").body
    verbs = "|".join(map(re.escape, words("plural_verbs")))
    plural = re.search(rf"(?<!\w)(?:{verbs})(?!\w)", last, re.IGNORECASE) is not None
    ordered = isinstance(test, ast.Compare) and isinstance(test.ops[0], ORDERED)
    fronts = [ast.parse(code, mode="eval").body for code in codes[:-1]]
    named = all(isinstance(one, ast.Name | ast.Attribute) for one in fronts)
    if not subject or codes[-1] == subject or not named or not (plural or (kind == "or" and ordered)):
        return list(codes)
    if any(f" {ast.unparse(one)} " in f" {codes[-1]} " for one in fronts):
        return [codes[-1]]  # they are compared with each other: `source and target are the same`
    own = re.compile(rf"(?<![\w.]){re.escape(subject)}(?!\w)")
    return [*(own.sub(ast.unparse(one), codes[-1]) for one in fronts), codes[-1]]


def deny(code: str) -> str:
    """The opposite of a condition; of comparisons that all hold it is that one of their opposites does."""
    tree = ast.parse(code, mode="eval").body
    both = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else []
    if not both or not all(isinstance(one, ast.Compare) and len(one.ops) == 1 for one in both):
        return negate_code(code)
    return " or ".join(negate_code(ast.unparse(one)) for one in both)


def bracketed(code: str, kind: str) -> str:
    tree = ast.parse(code, mode="eval").body
    joined = kind == "and" and isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or)
    return f"({code})" if joined else code

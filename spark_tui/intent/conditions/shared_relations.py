"""A relation that is said once, of several names: `width and height must be positive`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.words.phrases import words
from spark_tui.pysource.syntax.walking import ORDERED


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

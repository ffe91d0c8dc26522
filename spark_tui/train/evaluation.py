"""Judges an answer to a held-out case. The figures of a model are those of `spark eval builtin`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.train.cases import apply_hunks
from spark_tui.train.sequences import Encode
from spark_tui.train.source_windows import parse
from spark_tui.train.testset import Record, case_of


def same_tree(one: str, two: str) -> bool:
    """Whether two texts are equal as code, apart from layout and comments."""
    first, second = parse(one), parse(two)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)


def is_right(record: Record, ids: list[int], encode: Encode, decode: Callable[[list[int]], str]) -> bool:
    """Whether the text is right: the same text, or the same tree if comments and layout are not asked for."""
    kind, hunks = read_hunks(ids, decode, encode("\n")[0])
    before, wanted = record["before"], record["after"]
    if kind != record["answer"]:
        return False
    if kind != "edit":
        return bool(before == wanted)
    case = case_of(record)
    if case.steered is not None:
        kept = [old for old in case.steered[0] if not any(old.touches(new) for new in hunks)]
        hunks = sorted([*kept, *hunks], key=lambda hunk: (hunk.first, hunk.last))
    try:
        after = apply_hunks(before, hunks)
    except ValueError:
        return False
    return bool(after == wanted or (after != before and not record.get("exact") and same_tree(after, wanted)))

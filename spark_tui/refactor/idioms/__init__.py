"""Rules that keep what code does and say it in another way.

Comes in: an order. Goes out: edits of the ways that it asks for. Must not know: how any way rewrites.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.idioms import branches as idioms_branches
from spark_tui.refactor.idioms import collecting as idioms_collecting
from spark_tui.refactor.idioms import compare as idioms_compare
from spark_tui.refactor.idioms import counting as idioms_counting
from spark_tui.refactor.idioms import dicts as idioms_dicts
from spark_tui.refactor.idioms import figures as idioms_figures
from spark_tui.refactor.idioms import files as idioms_files
from spark_tui.refactor.idioms import forms as idioms_forms
from spark_tui.refactor.idioms import guards as idioms_guards
from spark_tui.refactor.idioms import inlining as idioms_inlining
from spark_tui.refactor.idioms import naming as idioms_naming
from spark_tui.refactor.idioms import order as idioms_order
from spark_tui.refactor.idioms import small as idioms_small
from spark_tui.refactor.idioms import stepping as idioms_stepping
from spark_tui.refactor.idioms import strings as idioms_strings
from spark_tui.refactor.idioms import ties as idioms_ties
from spark_tui.refactor.idioms import totals as idioms_totals
from spark_tui.refactor.idioms.asking import answers
from spark_tui.refactor.idioms.words import NOISE
from spark_tui.refactor.order import Edit, Order, Rule

WAYS = (
    *idioms_branches.WAYS, *idioms_guards.WAYS, *idioms_counting.WAYS, *idioms_collecting.WAYS, *idioms_stepping.WAYS,
    *idioms_totals.WAYS, *idioms_compare.WAYS, *idioms_forms.WAYS, *idioms_small.WAYS,
    *idioms_strings.WAYS,
    *idioms_inlining.WAYS, *idioms_naming.WAYS,
    *idioms_files.WAYS, *idioms_dicts.WAYS, *idioms_figures.WAYS,
    *idioms_order.WAYS,
)  # fmt: skip
_SLIPS = frozenset(word for one in WAYS for word in one.words) | NOISE


def _made(order: Order) -> Iterator[Edit]:
    yield from answers(order, WAYS, _SLIPS)


RULES: tuple[Rule, ...] = (Rule(re.compile(r"\w"), _made), *idioms_ties.RULES)

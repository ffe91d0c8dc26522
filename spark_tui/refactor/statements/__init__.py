"""Rules of the family `statements`: whole statements that come, go, move, or are others.

Comes in: an order. Goes out: edits. Must not know: models; what single names and values are meant (other families do).
"""

from __future__ import annotations

from spark_tui.refactor.order import Rule
from spark_tui.refactor.statements import comment as statements_comment
from spark_tui.refactor.statements import delete as statements_delete
from spark_tui.refactor.statements import errors as statements_errors
from spark_tui.refactor.statements import insert as statements_insert
from spark_tui.refactor.statements import move as statements_move
from spark_tui.refactor.statements import otherwise as statements_else
from spark_tui.refactor.statements import replace as statements_replace
from spark_tui.refactor.statements import unused as statements_unused
from spark_tui.refactor.statements import useless as statements_useless

RULES: tuple[Rule, ...] = (
    *statements_delete.RULES,
    *statements_insert.RULES,
    *statements_replace.RULES,
    *statements_move.RULES,
    *statements_comment.RULES,
    *statements_useless.RULES,
    *statements_unused.RULES,
    *statements_else.RULES,
    *statements_errors.RULES,
)

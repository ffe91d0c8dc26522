"""All rules, family by family. The order is that in which edits are looked for; it decides nothing else.

Comes in: the families. Goes out: one table. Must not know: how an edit is weighed.
"""

from __future__ import annotations

from spark_tui.refactor import checks, docs, idioms, imports, members, rename, signatures, statements, values
from spark_tui.refactor.order import Rule

RULES: tuple[Rule, ...] = (
    *rename.RULES,
    *values.RULES,
    *signatures.RULES,
    *statements.RULES,
    *checks.RULES,
    *docs.RULES,
    *imports.RULES,
    *idioms.RULES,
    *members.RULES,
)

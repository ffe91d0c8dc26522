"""Rules of the family `signatures`: parameters, hints, decorators, bases, and what kind of function it is.

Comes in: orders. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

from spark_tui.refactor.order import Rule
from spark_tui.refactor.signatures import classes as signatures_classes
from spark_tui.refactor.signatures import coroutines as signatures_async
from spark_tui.refactor.signatures import decorators as signatures_decorators
from spark_tui.refactor.signatures import defaults as signatures_defaults
from spark_tui.refactor.signatures import guards as signatures_guards
from spark_tui.refactor.signatures import hints as signatures_hints
from spark_tui.refactor.signatures import lifted as signatures_lifted
from spark_tui.refactor.signatures import new as signatures_new
from spark_tui.refactor.signatures import parameters as signatures_parameters
from spark_tui.refactor.signatures import results as signatures_results
from spark_tui.refactor.signatures import stars as signatures_stars
from spark_tui.refactor.signatures import unions as signatures_unions

RULES: tuple[Rule, ...] = (
    *signatures_parameters.RULES,
    Rule(signatures_lifted.TRIGGER, signatures_lifted.lifted),
    *signatures_new.RULES,
    *signatures_defaults.RULES,
    *signatures_hints.RULES,
    *signatures_guards.RULES,
    *signatures_decorators.RULES,
    *signatures_classes.RULES,
    *signatures_async.RULES,
    *signatures_unions.RULES,
    *signatures_stars.RULES,
    *signatures_results.RULES,
)

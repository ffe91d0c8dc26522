"""Rules about checks: guards, exceptions, log lines, values made clean where they come in."""

from __future__ import annotations

from spark_tui.refactor.checks import clean as checks_clean
from spark_tui.refactor.checks import env as checks_env
from spark_tui.refactor.checks import guards as checks_guards
from spark_tui.refactor.checks import instead as checks_instead
from spark_tui.refactor.checks import limits as checks_limits
from spark_tui.refactor.checks import logs as checks_logs
from spark_tui.refactor.checks import mends as checks_mends
from spark_tui.refactor.checks import raising as checks_raise
from spark_tui.refactor.checks import status as checks_status
from spark_tui.refactor.checks import swap as checks_swap
from spark_tui.refactor.checks import tells as checks_tells
from spark_tui.refactor.checks import tries as checks_tries
from spark_tui.refactor.checks import waits as checks_waits
from spark_tui.refactor.order import Rule

RULES: tuple[Rule, ...] = (
    *checks_guards.RULES,
    *checks_swap.RULES,
    *checks_logs.RULES,
    *checks_tries.RULES,
    *checks_clean.RULES,
    *checks_raise.RULES,
    *checks_mends.RULES,
    *checks_env.RULES,
    *checks_status.RULES,
    *checks_tells.RULES,
    *checks_waits.RULES,
    *checks_limits.RULES,
    *checks_instead.RULES,
)

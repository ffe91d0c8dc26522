"""Rules about words in the code and around it: docstrings, comments, quotes, tests.

Comes in: nothing. Goes out: the rules of the modules. Must not know: what they do.
"""

from __future__ import annotations

from spark_tui.refactor.docs import comments as docs_comments
from spark_tui.refactor.docs import examples as docs_examples
from spark_tui.refactor.docs import module as docs_module
from spark_tui.refactor.docs import parameters as docs_parameters
from spark_tui.refactor.docs import quotes as docs_quotes
from spark_tui.refactor.docs import strings as docs_strings
from spark_tui.refactor.docs import tests as docs_tests
from spark_tui.refactor.order import Rule

RULES: tuple[Rule, ...] = (
    *docs_strings.RULES,
    *docs_comments.RULES,
    *docs_quotes.RULES,
    *docs_tests.RULES,
    *docs_examples.RULES,
    *docs_module.RULES,
    *docs_parameters.RULES,
)

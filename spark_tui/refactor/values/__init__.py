"""Rules of the family `values`: numbers, texts, flags, operators, conditions, items, what a call is given."""

from __future__ import annotations

from spark_tui.refactor.order import Rule
from spark_tui.refactor.values import bounds as values_bounds
from spark_tui.refactor.values import calls as values_calls
from spark_tui.refactor.values import effects as values_effects
from spark_tui.refactor.values import entries as values_entries
from spark_tui.refactor.values import everyday as values_everyday
from spark_tui.refactor.values import formats as values_formats
from spark_tui.refactor.values import frozen as values_frozen
from spark_tui.refactor.values import items as values_items
from spark_tui.refactor.values import logic as values_logic
from spark_tui.refactor.values import members as values_members
from spark_tui.refactor.values import modes as values_modes
from spark_tui.refactor.values import numbers as values_numbers
from spark_tui.refactor.values import options as values_options
from spark_tui.refactor.values import options_new as values_options_new
from spark_tui.refactor.values import pairs as values_pairs
from spark_tui.refactor.values import results as values_results
from spark_tui.refactor.values import shown as values_shown
from spark_tui.refactor.values import talk as values_talk
from spark_tui.refactor.values import widgets as values_widgets
from spark_tui.refactor.values import words as values_words

RULES: tuple[Rule, ...] = (
    *values_numbers.RULES, *values_pairs.RULES, *values_logic.RULES,
    *values_items.RULES, *values_entries.RULES, *values_calls.RULES, *values_results.RULES,
    *values_talk.RULES, *values_frozen.RULES, *values_modes.RULES, *values_words.RULES,
    *values_options.RULES, *values_options_new.RULES, *values_effects.RULES,
    *values_everyday.RULES, *values_members.RULES, *values_shown.RULES, *values_formats.RULES,
    *values_bounds.RULES, *values_widgets.RULES,
)  # fmt: skip

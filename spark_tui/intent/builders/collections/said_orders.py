"""The direction in which something is sorted, as the words say it."""

from __future__ import annotations

import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.kinds_of_words import kind_said, says


def order_said(context: Context) -> str:
    """`down`, `up` or `turned`, from the slot or from the words beside it."""
    order_text = context.text("order").strip("`'\"")
    if re.search(r"reverse\s*=\s*True", order_text or context.beside_slots()):
        return "down"
    if re.search(r"reverse\s*=\s*False", order_text or context.beside_slots()):
        return "up"
    for text in (order_text, context.beside_slots()):
        turned = says("sort_orders", "turned", text)
        kind = kind_said("sort_orders", text)
        if kind or turned:
            return kind or "turned"
    return ""


def names_only_direction(context: Context) -> bool:
    """Whether the words for the order say nothing of what is compared: *descending*, not *newest first*."""
    return says("plain_orders", "plain", context.text("order") or context.beside_slots())

"""The direction in which something is sorted, as the words say it or two statements do: sorted, and then
turned."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import kind_said, says
from spark_tui.pysource.source import Source

_TURNING = re.compile(r"(?<!\w)(?:revers|umkehr|umdreh|invers|invert)|反转|倒序", re.IGNORECASE)


def order_said(context: Context) -> str:
    """`down`, `up` or `turned`, from the slot or from the words beside it."""
    order_text = context.text("order").strip("`'\"")
    if re.search(r"reverse\s*=\s*True", order_text or context.beside_slots()):
        return "down"
    if re.search(r"reverse\s*=\s*False", order_text or context.beside_slots()):
        return "up"
    beside = context.beside_slots()
    both = all(says("sort_orders", kind, f"{order_text} {beside}") for kind in ("down", "up"))
    if both and (wished := direction_wished(context.situation.instruction, "")):
        return wished
    for text in (order_text, beside):
        turned = says("sort_orders", "turned", text)
        kind = kind_said("sort_orders", text)
        if kind or turned:
            return kind or "turned"
    return ""


def of_ages(order: str, text: str, compared: str) -> str:
    """The order of ages, of which the oldest is the largest; of dates it is the smallest."""
    if not says("age_orders", "said", text) or not says("age_orders", "compared", _split(compared)):
        return order
    return {"up": "down", "down": "up"}.get(order, order)


def _split(code: str) -> str:
    return " ".join(word for name in re.findall(r"\w+", code) for word in split_name(name))


def direction_wished(text: str, compared: str) -> str:
    """`down` or `up`, if a text says only one of them behind the last word for a wish that has one behind it,
    or in all; what is no longer meant counts for nothing: *instead of descending*."""
    text = _denied().sub(" ", text)
    parts = _wishes().split(text)
    for part in reversed(parts[1:] or parts):
        kinds = [kind for kind in ("down", "up") if says("sort_orders", kind, part)]
        if kinds:
            return of_ages(kinds[0], part, compared) if len(kinds) == 1 else ""
    return ""


@lru_cache(maxsize=1)
def _denied() -> re.Pattern[str]:
    """The words for what is not meant, with one or two words behind them."""
    fronts = "|".join(map(re.escape, phrases.table()["tied"]["instead"]))
    return re.compile(rf"(?<!\w)(?:{fronts})(?:\s+(?:of|de)|\s+d')?(?:\s+\w+){{1,2}}", re.IGNORECASE)


@lru_cache(maxsize=1)
def _wishes() -> re.Pattern[str]:
    known = "|".join(re.escape(one) for one in phrases.words("wishes") if one.isalpha())
    return re.compile(rf"(?<!\w)(?:{known})(?!\w)", re.IGNORECASE)


def names_only_direction(context: Context) -> bool:
    """Whether the words for the order say nothing of what is compared: *descending*, not *newest first*."""
    return says("plain_orders", "plain", context.text("order") or context.beside_slots())


def reversed_behind(context: Context, source: Source, node: ast.expr) -> ast.stmt | None:
    """The statement that turns what was sorted, where the words tell of it."""
    return turned_behind(source, node) if _TURNING.search(context.situation.instruction) else None


def turned_behind(source: Source, node: ast.AST | None) -> ast.stmt | None:
    """The statement right behind one that sorts, which turns what was sorted: `rows.reverse()`."""
    stmt = source.statement(node) if node is not None else None
    func = node.func if isinstance(node, ast.Call) else None
    if stmt is None or not isinstance(func, ast.Attribute) or func.attr != "sort":
        return None
    behind = source.following(stmt)[:1]
    return next((one for one in behind if ast.unparse(one) == f"{ast.unparse(func.value)}.reverse()"), None)

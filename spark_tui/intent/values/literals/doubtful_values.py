"""Values that may mean something else than what is written for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.literals.numbers import is_share
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, taken_for
from spark_tui.intent.words.kinds_of_words import says

_MORE = re.compile(
    r"\s*(?:%|percent|prozent)?\s*(?:more|less|higher|lower|fewer|extra|mehr|weniger|höher|niedriger"
    r"|de plus|de moins|en plus|en moins|más|menos)(?!\w|\s+than)",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"\s+(?:from now|ago|later|earlier|in the (?:past|future))(?!\w)", re.IGNORECASE)
_BY = re.compile(r"(?<!\w)(?:by|um|por|de|en)\s+\Z", re.IGNORECASE)


def doubts_of_amount(text: str, front: str, behind: str, called: str, old: ast.AST | None) -> Iterator[str]:
    """What is doubtful about a number with these words around it: it may be how much is to be added, or a
    part of a hundred where nothing says that such are counted."""
    if _FROM_NOW.match(behind):
        yield assumed(f"{text} was assumed to be the time itself, not a moment")
    if not text[:1].isdigit():
        return
    changed = any(says("changes", kind, front) for kind in ("raising", "lowering"))
    if _MORE.match(behind) or (changed and _BY.search(front)):
        yield assumed(f"{text} was assumed to be the new value, not how much it changes")
    is_percent = re.search(r"%|percent|prozent", text + behind[:9], re.IGNORECASE)
    if is_percent and not is_share(old) and not re.search(r"perc|pct", called, re.IGNORECASE):
        yield assumed(f"{text} was assumed to be counted in percent")


def texts_of_word(text: str, shown: str, old: ast.AST | None, known: bool) -> list[Option]:
    """What a word means where a text stands: `shown`, or the name where it is `known`."""
    if not known and phrases.is_said("empty_text", text):
        return [
            Option(shown[0] * 2, 0.9, (assumed(f"{text} was assumed to be an empty text"),)),
            Option(shown, 0.3),
        ]
    is_sign = isinstance(old, ast.Constant) and re.fullmatch(r"\W+", str(old.value)) is not None
    doubts = (taken_for(text, "the word, where a sign stands"),) if is_sign else ()
    return [Option(shown, 0.95, doubts), *([Option(text, 0.4)] if known else [])]


def loses_items(text: str, old: ast.AST | None) -> Iterator[str]:
    """The doubt about one value in the place of several, or of what a class makes."""
    items = old.elts if isinstance(old, ast.List | ast.Tuple | ast.Set) else getattr(old, "values", ())
    new = parsed(text)
    single = isinstance(new, ast.Constant) and new.value is not None
    made = ast.unparse(old.func) if isinstance(old, ast.Call) else ""
    if single and (made.rpartition(".")[2][:1].isupper() or made.endswith("timedelta")):
        yield f"what {made} makes was replaced by a plain value"
    if single and isinstance(old, ast.List | ast.Tuple | ast.Set | ast.Dict) and len(items) > 1:
        yield f"{ast.unparse(old)} was more than one value"

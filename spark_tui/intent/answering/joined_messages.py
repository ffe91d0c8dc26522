"""Messages after an instruction from which alone no edit is read: both are read as one message.

They are joined in several forms. Only an edit of the kind that was asked for first, and on which most forms
agree, takes the place of the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.reading_orders import read_orders
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.planning.answers import Answer, Way, marked_with
from spark_tui.intent.planning.executing import decision_settings
from spark_tui.intent.words.readings import Reads, SymbolRoles
from spark_tui.intent.words.tokens import cleaned

_FORMS = ("{first}, {then}", "{first}. {then}", "{first} ({then})", "{then}: {first}")
_AGREE = 3
"""How many of the forms have to give the same edit."""
_LIKELIEST = 2
"""How many readings of a form may be of the kind that was asked for first."""
_UNREAD = ("write", "cannot", "choices", "nothing")


def answer_together(
    found: Answer, reader: Reads, situation: Situation, symbols: Callable[[str], SymbolRoles]
) -> Answer:
    """The answer to a message read together with the instruction before it, if alone it has no edit."""
    before, earlier = situation.before, situation.earlier
    if found.kind not in _UNREAD or before is None or earlier is None or not situation.asked:
        return found
    by_another = changes_of_edit(situation) and (situation.partial or not earlier.calls)
    if earlier.turned_down or by_another:
        return found
    alone = replace(situation, repo=before, earlier=None, before=None, written=None, changed=(), asked="")
    results: dict[tuple[tuple[str, str | None], ...], list[Way]] = {}
    first, then = cleaned(situation.asked).rstrip(" .!"), cleaned(situation.instruction)
    for left, form in zip(range(len(_FORMS), 0, -1), _FORMS, strict=True):
        if left + max(map(len, results.values()), default=0) < _AGREE:
            return found
        text = form.format(first=first, then=then)
        orders = read_orders(text, reader, symbols(text))
        if len(orders) > 1 or not any(
            item.intent == earlier.intent for item in orders[0].readings[:_LIKELIEST]
        ):
            if not results:
                return found  # the plainest form is read as more than one thing, or as another one
            continue
        joined = answer(text, reader, replace(alone, instruction=text), symbols(text))
        way = joined.ways[0] if joined.kind == "edit" else None
        if way is not None and way.done is not None and way.done.intent == earlier.intent:
            results.setdefault(tuple(sorted(way.plan.texts(before).items())), []).append(way)
    texts, ways = max(results.items(), key=lambda item: len(item[1]), default=((), []))
    stands = all(situation.behind.index.text(path) == text for path, text in texts)
    if len(ways) < _AGREE or stands:
        return found
    best = max(ways, key=lambda way: (-len(way.marked), way.confidence))
    if best.confidence < float(decision_settings()["first"]["marked"]):
        return found
    way = marked_with(
        decision_settings()["sentences"]["together"], replace(best, from_before=True, may_be_unmarked=False)
    )
    return Answer("edit", (way,))

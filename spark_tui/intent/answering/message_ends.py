"""What stands at the end of a message: a file in which it is done (*rename total to amount cart.py*), words
that there is more of the kind, and words that the uses follow (*and fix the callers*)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from spark_tui.codemods.registry import operation_name
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import unused
from spark_tui.pysource.repository import Repository

_ORDER = re.compile(r"(?P<order>[^\n`'\"]*\w)\s+(?P<file>[\w./-]*\w\.\w{1,5})\s*[.!]?\s*")
_LEAST_WORDS = 3
"""Of fewer words in front, the file may be what they are about: *sort imports cart.py*."""
_CARRY_USES = frozenset(
    (
        *("rename", "rename_all", "rename_module", "move_definition", "use_from_import", "to_module_level"),
        *("reorder_parameters", "remove_parameter", "make_keyword_only", "change_method_kind"),
    )
)
"""The operations by which all uses follow, or are named where they cannot."""
_BOUND = ("places_in", "of_class", "to", "and", "articles", "kinds", "filling")
"""What binds a name behind it to the words in front."""


def with_place(text: str, repo: Repository) -> str:
    """The order with *in* before a file of the repository that nothing binds to it."""
    found = _ORDER.fullmatch(text)
    if found is None:
        return text
    order = found["order"].lower().split()
    bound = any(order[-1] in phrases.words(kind) for kind in _BOUND)
    if len(order) < _LEAST_WORDS or bound or order[-2] in phrases.words("articles"):
        return text
    ends = (f"/{path}".endswith(f"/{found['file']}") for path, _ in paths_named(repo, found["file"]))
    return f"{found['order']} in {text[found.start('file') :]}" if any(ends) else text


def without_end(text: str, answer: Callable[[str], Answer]) -> Answer | None:
    """The answer to a message without what its end adds to it; None where the end is an order."""
    if (more := _open_end().search(text)) is not None:
        found, doubt = answer(text[: more.start()]), unused(more[0].strip(" ,"))
        return replace(found, ways=tuple(marked_with(doubt, way) for way in found.ways))
    if (uses := _uses_follow().search(text)) is None or _goes_on(text, uses):
        return None
    found = answer(text[: uses.start()])
    calls = [operation_name(type(call)) for way in found.ways for call in way.calls]
    return found if calls and _CARRY_USES.issuperset(calls) else None


def _goes_on(text: str, uses: re.Match[str]) -> bool:
    """Whether the uses are one more place, with no verb before them: *in mail and its callers too*."""
    front = text[: uses.start()].split()[-2:-1]
    return bool(uses["bare"] and uses[0][0].isspace() and front and phrases.is_said("places_in", front[0]))


@cache
def _open_end() -> re.Pattern[str]:
    """The words at the end that say that there is more of the kind: *and so on*."""
    ends = "|".join(map(re.escape, phrases.words("open_end")))
    return re.compile(rf"(?<![\s,])[\s,]+(?:{ends})\s*[.!]*\Z", re.IGNORECASE)


@cache
def _uses_follow() -> re.Pattern[str]:
    """A clause at the end that only says that the uses follow: *and fix all callers*, *callers too*."""
    idle = ("articles", "every", "pronouns", "everywhere")
    verb, named, also, filling = (
        "|".join(re.escape(word) for kind in kinds for word in phrases.words(kind))
        for kinds in (("following",), ("uses",), ("also",), idle)
    )
    uses = rf"(?:(?:{filling})\s+){{0,3}}(?:{named})(?:\s+(?:{filling}))?"
    asked = rf"(?:{verb})\s+{uses}(?:\s+(?:{also}))?|{uses}\s+(?:(?:{also})\s+)?(?:{verb})"
    asked = rf"{asked}|(?P<bare>{uses}\s+(?:(?:{also})\s+)?(?:{also}))"
    clause = rf"(?:(?:{also})\s+)?(?:{asked})"
    joined = phrases.joining()
    start = rf"(?<=[\w`'\")])(?:\s*[,;.(+&]\s*(?:{joined}\s+)?|\s+{joined}\s+)"
    return re.compile(rf"{start}(?:{clause})\s*[.!)]*\Z", re.IGNORECASE)

"""What a message says of the short and long forms of an option: *the short form of --out*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import kind_said

_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_NEAR = 40
"""How many characters in front of a form say what is taken from it."""


def options_shown(text: str) -> list[str]:
    """The forms of options that stand in a text, in order."""
    return _OPTION.findall(text)


def option_of_form(text: str) -> tuple[int, int] | None:
    """The characters of the option of which a text changes one form; None where it is about none."""
    shown = list(_OPTION.finditer(text))
    if form_said(text):
        behind = _of_option().search(text)
        long = [one for one in shown if not is_short(one[0])]
        first = next(iter(long or shown), None)
        return first.span() if first is not None else behind.span(1) if behind is not None else None
    if len(shown) == 2 and {is_short(one[0]) for one in shown} == {False, True} and removed_forms(text, ""):
        return next(one.span() for one in shown if not is_short(one[0]))
    return None


def is_short(form: str) -> bool:
    return not form.startswith("--")


def form_said(text: str) -> str:
    """Whether a text is about the short or the long form of an option; empty for neither."""
    found = _forms().search(text)
    return kind_said("option_forms", found[0]) if found is not None else ""


def removed_forms(text: str, kind: str) -> list[str] | None:
    """The forms that a text takes away, apart from what they are taken from; None where it takes none away.
    Of a kind of form, they need not be shown."""
    lists, low = phrases.table()["config_lists"], _OPTION.sub(" ", text.lower())
    adds = phrases.any_stands_in(lists["adding"], low)
    removing = (*lists["removing"], *(() if adds else phrases.words("denying")))
    if not phrases.any_stands_in(removing, low):
        return None
    owners = _owners()
    every = list(_OPTION.finditer(text))
    every = [one for one in every if not kind or is_short(one[0]) == (kind == "short")]
    gone = [one[0] for one in every if owners.search(text[max(0, one.start() - _NEAR) : one.start()]) is None]
    return gone if kind or 0 < len(gone) < len(options_shown(text)) else None


@lru_cache(maxsize=1)
def _forms() -> re.Pattern[str]:
    return re.compile(_form_of(phrases.table()["option_forms"]["nouns"]), re.IGNORECASE)


def _form_of(nouns: Sequence[str]) -> str:
    table = phrases.table()["option_forms"]
    kind, noun = ("|".join(map(re.escape, words)) for words in ((*table["short"], *table["long"]), nouns))
    return rf"(?<!\w)(?:{kind})[\s-]+(?:[`'\"]?-\w[`'\"]?\s+)?(?:{noun})(?!\w)"


@lru_cache(maxsize=1)
def _owners() -> re.Pattern[str]:
    """What stands in front of an option of which something is taken."""
    fronts = "|".join(map(re.escape, (*phrases.words("parts_taken_from"), *phrases.words("of_class"))))
    nouns = "|".join(map(re.escape, (*phrases.words("articles"), *phrases.words("option_nouns"))))
    return re.compile(rf"(?<!\w)(?:{fronts})\s+(?:(?:{nouns})\s+)*[`'\"]?\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _of_option() -> re.Pattern[str]:
    """The word for an option behind one of its forms, if the words say that it is one."""
    owners, goals, articles = (
        "|".join(map(re.escape, phrases.words(kind))) for kind in ("of_class", "for_an_option", "articles")
    )
    owner = rf"\s+(?:{owners}|{goals})\s+(?:(?:{articles})\s+)?"
    form = _form_of(phrases.words("option_nouns"))
    return re.compile(rf"{form}{owner}[`'\"]?([^\W\d]\w*)", re.IGNORECASE)

"""Keys that words mean, of those that stand in a dictionary."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.intent.context.described_names import content_words, score_description


def known_key(text: str, keys: Sequence[str], new: bool = False) -> str | None:
    """The one key that words mean: in another case or number, or, if it may be no `new` one, by
    another word for it."""
    plain = text.strip().strip("`'\"")
    same = [key for key in keys if key.lower() == plain.lower()]
    if same:
        return same[0]
    told = content_words(plain)
    alike = [key for key in keys if told and key[:1].isalpha() and score_description(told, key) >= 1.0]
    if new:
        alike = [key for key in alike if key.lower().rstrip("s") == plain.lower().rstrip("s")]
    return alike[0] if len(alike) == 1 else None

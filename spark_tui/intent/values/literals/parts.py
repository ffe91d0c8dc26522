"""Values of which only a part is said: the scheme of a URL, the ending of a file name without its dot."""

from __future__ import annotations

import re

from spark_tui.intent.values.literals.date_formats import DATE_FIELD, date_format
from spark_tui.pysource.words import word_set

_SCHEMES = word_set("http https ws wss ftp ftps sftp redis rediss postgres postgresql")
_ENDING = re.compile(r"\.[A-Za-z]\w*")
_NUMBER_TEXT = re.compile(r"[-+]?\d+(?:\.\d+)*")


def with_part(old: str, text: str) -> str | None:
    """The old text with the part that is said in place of the one like it; None where it is no part."""
    new = text.strip()
    scheme, sign, rest = old.partition("://")
    if sign and new.lower().removesuffix("://") in _SCHEMES and scheme.lower() in _SCHEMES:
        return f"{new.lower().removesuffix('://')}://{rest}"
    if _ENDING.fullmatch(old) and re.fullmatch(r"[A-Za-z]\w*", new):
        return f".{new}"
    if len(DATE_FIELD.findall(old)) > 1 and not DATE_FIELD.search(new):
        return date_format(old, "", new.strip("`'\""))
    return None


def is_number_text(text: str) -> bool:
    """Whether a text is a number or a version, so that a new one stays a text."""
    return _NUMBER_TEXT.fullmatch(text) is not None

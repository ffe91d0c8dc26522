"""The class or module that is named beside a function: *run of the worker*, *the module function run*."""

from __future__ import annotations

import re

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.words.phrases import words


def says_owner(owner: str, front: str, behind: str) -> bool:
    """Whether the class is named directly before or after a function; the module, if `owner` is empty."""
    if not owner:
        of, kinds = ("|".join(map(re.escape, words(kind))) for kind in ("of_module", "kinds"))
        pattern = rf"(?<![^\W\d_])(?:{of})\s*(?:(?:{kinds})\s*)?[`'\"]*\Z"
        return re.search(pattern, front, re.IGNORECASE) is not None
    parts = split_name(owner.rpartition(".")[2])
    if not all(part.lower() in f"{front} {behind}".lower() for part in parts):
        return False  # so that not each of very many is looked for by a form of its own
    between = "|".join(map(re.escape, (*words("of_class"), *words("articles"))))
    name = r"[\s_]*".join(map(re.escape, parts))
    follows = rf"[`'\"()]*\s+(?:(?:{between})\s+)+[`'\"]?{name}(?!\w)"
    leads = rf"(?<!\w){name}(?:['’]s\s|\s*的|\s)[`'\"\s]*\Z"
    behind = re.sub(r"\A\W*in order to(?!\w)", "", behind, flags=re.IGNORECASE)
    return bool(re.match(follows, behind, re.IGNORECASE) or re.search(leads, front, re.IGNORECASE))

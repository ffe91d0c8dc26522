"""Names with the capital that begins a sentence: *Retries should be 5* is about `retries`."""

from __future__ import annotations

import builtins
import re

from spark_tui.intent.context.import_origins import standard_homes
from spark_tui.intent.reading.near_roles import is_no_name
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import SymbolRoles

_START = re.compile(r"(?:\A|(?<=[.!?]\s)|(?<=\n))[A-Z](?!\w*[A-Z])\w*")


def with_small_starts(text: str, symbols: SymbolRoles) -> str:
    """The message with these names as the repository has them, or Python where they are called. What stands
    before an article asks for an edit."""

    def written(found: re.Match[str]) -> str:
        name, behind = found[0], text[found.end() :]
        small = name[0].lower() + name[1:]
        if symbols.roles(name) or hasattr(builtins, name):
            return name
        if behind.startswith("("):
            known = bool(symbols.roles(small)) or hasattr(builtins, small) or small in standard_homes()
        else:
            follows = behind.lower().split(maxsplit=1)[:1]
            asks = is_no_name(small) or not follows or follows[0] in phrases.words("articles")
            known = not asks and bool(symbols.roles(small) - {"string"})
        return small if known else name

    return _START.sub(written, text)

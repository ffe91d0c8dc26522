"""Draws everyday functions and classes from templates, with random names.

They hold what is common in small applications and rare in libraries, such as a counter beside a loop or a
class that only stores.
"""

from __future__ import annotations

from random import Random
from string import Template

from spark_tui.train.templates.tables import table

_TABLES = table("tables/snippets")

NOUNS: list[str] = list(_TABLES["nouns"])
VERBS: list[str] = list(_TABLES["verbs"])
_TEXTS: tuple[str, ...] = _TABLES["texts"]
_SNIPPETS = tuple(
    part.strip("\n")
    for text in (table("skeletons/functions")["functions"], table("skeletons/parts")["parts"])
    for part in text.split("---\n")
)


def snippet(rng: Random) -> tuple[list[str], list[str], str]:
    """Imports, constants and one definition."""
    noun, other, field, second = rng.sample(NOUNS, 4)
    text = Template(rng.choice(_SNIPPETS)).substitute(
        n=noun,
        s=_plural(noun),
        m=other,
        f=field,
        g=second,
        v=rng.choice(VERBS),
        C=noun.capitalize() + rng.choice(("", "", "", other.capitalize(), "List", "Store", "Manager")),
        K=rng.choice((f"MAX_{other}", f"{other}S", f"{other}_LIMIT", f"DEFAULT_{other}", other)).upper(),
        d=rng.choice((1, 2, 3, 5, 7, 10, 12, 20, 24, 30, 50, 60, 100, 365, 500, 1000)),
        t=rng.choice(_TEXTS),
        u=rng.choice(NOUNS),
    )
    lines = text.split("\n")
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    constants = [line for line in lines if line[:1].isupper() and " = " in line]
    return (
        imports,
        constants,
        "\n".join(line for line in lines if line not in imports and line not in constants),
    )


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch")) else "s")

"""Everyday functions and classes, as they stand in small applications, under names of chance.

What is rare in libraries (a counter beside a loop, a class that only stores, a check by hand) is common
there. Comes in: chance. Goes out: source of a function or a class, with the imports and constants that it
needs. Must not know: instructions, tokens, the model.
"""

from __future__ import annotations

from random import Random
from string import Template

from spark_tui.train.app_skeletons import PARTS
from spark_tui.train.sayings import choices, words
from spark_tui.train.skeletons import FUNCTIONS

NOUNS = sorted(
    words("""
account address alarm album answer appointment article auction badge balance basket bid bill board book booking
budget building cart category channel choice city client color comment company contact country coupon course crop
customer day deadline delivery deposit device discount district document donation driver employee event exam expense
fee field file flight folder form friend game garden goal grade group guest holiday hour house image ingredient
inventory invoice item job journal key kitchen label lesson letter level library loan location log machine mail map
match meal measure meeting member memo message meter model money month movie name news note number offer office
order owner page parcel parking party password patient payment person phone photo plan plant player playlist poll
post price product profile project question queue quiz quote rate rating reading recipe record refund region
reminder rent report request reservation review reward road role room route row rule salary sale sample schedule
school score seat sensor service shelf shift shop signal site size slot song speed staff stage station status step
stock store street student subject table tag task tax team temperature ticket time title token topic tour track
trade train transfer trip unit user vacation value vehicle vendor visit visitor vote voucher warehouse water weather
week weight winner word worker year zone
"""),
)
VERBS = sorted(
    words("""
accept add apply approve archive assign average bill book build calculate cancel charge check clean clear close
collect compare compute convert count create delete describe drop export fetch fill filter find fix format generate
get group handle import join list load log lookup make mark merge move notify open order pack parse pay pick plan
print process publish put rank read register reject remind remove render report reserve reset resolve restore run
save schedule search select send set show sort split start stop store sum summarize swap sync total track update
upload validate verify write
"""),
)
_TEXTS = choices(
    "not found|invalid value|done|no entries|saved|nothing to do|too many|unknown|is missing|"
    "must be positive|please try again|welcome back|out of stock|access denied|already exists|loading|finished|"
    "failed to open"
)


_SNIPPETS = tuple(part.strip("\n") for table in (FUNCTIONS, PARTS) for part in table.split("---\n"))


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

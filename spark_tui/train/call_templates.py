"""Functions with calls whose options are worth changing, the call nested in another one now and then.

Comes in: chance. Goes out: source of one piece, with its imports. Must not know: instructions, tokens, the
model.
"""

from __future__ import annotations

from random import Random

from spark_tui.train.snippet_generator import NOUNS, VERBS
from spark_tui.train.tables import table

_TABLES = table("skeletons/calls")

_CALLS: str = _TABLES["calls"]
_PIECES = tuple(piece.strip("\n") for piece in _CALLS.split("---\n"))


def piece(rng: Random) -> tuple[list[str], str]:
    """Imports and the rest: a definition, and what goes with it at the module's level."""
    noun, other = rng.sample(NOUNS, 2)
    text = rng.choice(_PIECES).format(n=noun, m=other, v=rng.choice(VERBS), C=noun.capitalize())
    lines = text.split("\n")
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    body = "\n".join(line for line in lines if line not in imports)
    for start in ("def ", "@app", "app.run", "if __name__", "@dataclass"):
        body = body.replace(f"\n{start}", f"\n\n\n{start}")
    return imports, body.replace(")\n\n\n\ndef ", ")\ndef ").replace('")\n\n\ndef ', '")\ndef ').strip("\n")

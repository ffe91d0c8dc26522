"""Which kinds of leftovers of Python 2 an instruction means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder, from_entry
from spark_tui.intent.context.reading_in_place import Context

_KINDS = {
    "prefix": re.compile(
        r"(?<!\w)u(?:''|\"\"|['\"`]|-strings?|-?pr[eéä]fi\w*)|pr[eéä]fi[jx]\w*|pr[aä]fix\w*|前缀", re.I
    ),
    "object": re.compile(r"(?<!\w)object(?!\w)", re.I),
    "coding": re.compile(r"coding|kodierung|encodage|codificación|编码", re.I),
    "future": re.compile(r"future", re.I),
}


@builder("drop_python2")
def drop_python2(context: Context) -> Iterator[Built]:
    """All kinds, unless the instruction names some."""
    said = context.situation.instruction
    named = [kind for kind, words in _KINDS.items() if words.search(said)]
    entry = {"op": "drop_python2", "place": "{in}", "only": f"[{', '.join(named)}]" if named else ""}
    yield from from_entry(context, entry)

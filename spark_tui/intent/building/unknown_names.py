"""Why a name in an instruction names nothing."""

from __future__ import annotations

from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context


def why_unknown(context: Context, text: str, wanted: frozenset[SymbolKind]) -> str:
    """The reason: the name is in another place, is of another kind, or does not exist."""
    name = plain_name(text)
    other = next((one.target for one in context.names.find(text) if one.target.name == name), None)
    places = ", ".join(dict.fromkeys(area.qualname or area.path for area in context.named))
    if other is None or (other.kind in wanted and not places):
        return f"there is nothing called {text}"
    if other.kind in wanted:
        return f"there is nothing called {text} in {places}, but in {other.path}"
    return f"{name} is a {other.kind.value}, not a {' or '.join(sorted(one.value for one in wanted))}"

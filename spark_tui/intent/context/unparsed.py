"""Files that do not parse: what an order names in them cannot be found."""

from __future__ import annotations

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.parse_errors import parse_error


def explain_unparsed(context: Context, reason: str, nothing: bool = False) -> str:
    """Why an order cannot be done, with a file that does not parse: the named or open one, or one that has a
    name of the order. `nothing`: there is nothing to do, which only the named or open file may belie."""
    repo = context.repo
    named = [path for path, _ in paths_named(repo, context.text("file"))] or [context.situation.path]
    for path in named:
        if path in repo.index.paths and repo.index.source(path).tree is None:
            return parse_error(repo.index.source(path))
    if nothing:
        return reason
    spans = context.reading.spans
    words = {plain_name(span.text).rpartition(".")[2] for span in spans}
    for path in repo.index.files_with(*filter(str.isidentifier, words)):
        if not repo.index.parses(path):
            return "; ".join(filter(None, (reason, parse_error(repo.index.source(path)))))
    return reason

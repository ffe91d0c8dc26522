"""Files that do not parse: what an order names in them cannot be found."""

from __future__ import annotations

from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.repository import Repository


def explain_unparsed(context: Context, reason: str) -> str:
    """Why an order cannot be done, with a file that does not parse: the named or open one, or one that has a
    name of the order."""
    repo = context.repo
    named = [path for path, _ in paths_named(repo, context.text("file"))] or [context.situation.path]
    for path in named:
        if path in repo.index.paths and not repo.index.parses(path):
            return _syntax_error(repo, path)
    spans = (item for own in context.reading.slots.values() for item in own)
    words = {plain_name(span.text).rpartition(".")[2] for span in spans}
    for path in repo.index.files_with(*filter(str.isidentifier, words)):
        if not repo.index.parses(path):
            return "; ".join(filter(None, (reason, _syntax_error(repo, path))))
    return reason


def _syntax_error(repo: Repository, path: str) -> str:
    source = repo.index.source(path)
    line = getattr(source.error, "lineno", None) if source.tree is None else None
    what = getattr(source.error, "msg", None) or str(source.error)
    return f"{path} does not parse: " + (f"line {line}, {what}" if line else what)

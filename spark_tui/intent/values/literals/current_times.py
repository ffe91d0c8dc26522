"""Times in words: *today* is `date.today()` as the imports of a file allow it."""

from __future__ import annotations

import ast

from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source


def current_time(text: str, source: Source | None, as_text: bool) -> str:
    """The code of a day, moment or year that words name; empty for other words, or without the import."""
    kind = phrases.lookup("current_times", text)
    if kind is None or source is None:
        return ""
    day, moment = _read_by(source)
    read = {"today": day, "now": moment, "year": f"{day}.year" if day else ""}[kind]
    return f"{read}.isoformat()" if read and as_text and kind != "year" else read


def _read_by(source: Source) -> tuple[str, str]:
    """How a file reads the day and the moment."""
    day = moment = ""
    for statement in source.statements:
        for alias in statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else ():
            name = alias.asname or alias.name
            if isinstance(statement, ast.Import) and alias.name == "datetime":
                return f"{name}.date.today()", f"{name}.datetime.now()"
            if isinstance(statement, ast.ImportFrom) and statement.module == "datetime":
                day = f"{name}.today()" if alias.name == "date" else day
                moment = f"{name}.now()" if alias.name == "datetime" else moment
    return day or (f"{moment}.date()" if moment else ""), moment

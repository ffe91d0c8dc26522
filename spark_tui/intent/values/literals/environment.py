"""Values that are read from the environment: `the env var LOG_DIR`, with what stood there as the fallback."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.visible import compile_phrase
from spark_tui.intent.words import phrases


def environment_value(text: str, old: ast.AST | None, called: str, quote: str) -> str | None:
    """The code that reads the variable of a text, or that of what is set; None for other texts."""
    name = _variable(text, called)
    if not name:
        return None
    value = getattr(old, "value", None) if isinstance(old, ast.Constant) else None
    get = f"os.environ.get({quote}{name}{quote}"
    if isinstance(value, str):
        return f"{get}, {quote}{value}{quote})" if quote not in value and "\\" not in value else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{type(value).__name__}({get}, {value!r}))"
    return f"{get})" if value is None else None


def _variable(text: str, called: str) -> str:
    plain = phrases.without_articles(text.strip().strip("`'\"")).strip()
    for phrase in phrases.table()["environment"]:
        found = compile_phrase(phrase).fullmatch(plain)
        if found is None:
            continue
        name = found["x"].strip("`'\" ") if "{x}" in phrase else called.upper()
        return name if re.fullmatch(r"[A-Za-z_]\w*", name) else ""
    return ""

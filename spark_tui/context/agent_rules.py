"""The rules that a repository gives in its AGENTS.md files.

Rules of a deeper folder come later and take precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spark_tui.errors import SparkError

NAME = "AGENTS.md"


def rule_files(
    paths: Iterable[str], read_lines: Callable[[str], Sequence[str] | None]
) -> tuple[tuple[str, str], ...]:
    """`(path, text)` of every AGENTS.md above one of the paths, the root's first."""
    folders = {""}
    for path in paths:
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    out: list[tuple[str, str]] = []
    for folder in sorted(folders, key=lambda f: (f.count("/") + bool(f), f)):
        name = f"{folder}/{NAME}" if folder else NAME
        try:
            lines = read_lines(name)
        except SparkError:
            lines = None
        if lines and (text := "\n".join(lines).strip()):
            out.append((name, text))
    return tuple(out)


def rules_text(files: Sequence[tuple[str, str]]) -> str:
    """As one text for the model."""
    if len(files) <= 1:
        return files[0][1] if files else ""
    head = "Where these disagree, the later ones win.\n\n"
    return head + "\n\n".join(f"({path})\n{text}" for path, text in files)

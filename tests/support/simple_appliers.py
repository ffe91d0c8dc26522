"""Two tiny appliers for well-formed answers, so that the data is judged by something other than the product.

Comes in: the text of an answer and the old texts of files. Goes out: their new texts, or AssertionError when
the answer is not exact. Must not know: the product's own parser.
"""

from __future__ import annotations

import re

BLOCK = re.compile(
    r"^(?P<path>\S+)\n```python\n<<<<<<< SEARCH\n(?P<old>.*?)=======\n(?P<new>.*?)>>>>>>> REPLACE\n```$",
    re.DOTALL | re.MULTILINE,
)
RANGE = re.compile(r"@@ (\d+),(\d+)")


def search_replace_blocks(text: str) -> list[tuple[str, str, str]]:
    """Every block as (path, old, new)."""
    return [(match["path"], match["old"], match["new"]) for match in BLOCK.finditer(text)]


def apply_search_replace(text: str, files: dict[str, str]) -> dict[str, str]:
    """The files with every block put in its place; an empty search makes a new file."""
    out = dict(files)
    for path, old, new in search_replace_blocks(text):
        if not old:
            assert path not in out, f"{path} exists"
            out[path] = new
            continue
        assert ("\n" + out[path]).count("\n" + old) == 1, f"{path}: not exactly one place for\n{old}"
        out[path] = ("\n" + out[path]).replace("\n" + old, "\n" + new, 1)[1:]
    return out


def apply_lines(text: str, files: dict[str, str]) -> dict[str, str]:
    """The files with every `@@ a,b` range (1-based, half-open, of the old file) replaced by its `+` lines."""
    first, *rest = text.rstrip("\n").split("\n")
    assert first.startswith("*** ")
    path = first.removeprefix("*** ")
    lines = files[path].split("\n")
    hunks: list[tuple[int, int, list[str]]] = []
    for row in rest:
        if match := RANGE.fullmatch(row):
            hunks.append((int(match[1]), int(match[2]), []))
        elif row not in ("@@ no-edit", "@@ cannot"):
            assert row.startswith("+"), row
            hunks[-1][2].append(row[1:])
    end = 1
    for start, stop, _ in hunks:
        assert end <= start <= stop <= len(lines), (start, stop)
        end = stop
    for start, stop, new in reversed(hunks):
        lines[start - 1 : stop - 1] = new
    return files | {path: "\n".join(lines)}

"""Examples that are run as tests, in docstrings and on pages, and code in texts that use names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from spark_tui.pysource.repository import Repository

_PAGES = (".rst", ".md", ".txt")


def examples_with(
    repo: Repository, paths: Collection[str], modules: Collection[str], names: Collection[str]
) -> Iterator[tuple[str, int, str]]:
    """Where examples in some files, on pages that import one of the modules, or texts that do, use a name."""
    words = "|".join(map(re.escape, sorted(names)))
    homes = "|".join(map(re.escape, sorted(modules)))
    if not words or not homes:
        return
    used = re.compile(rf"^[ \t]*(?:>>>|\.\.\.) .*?(?<!\w)({words})(?!\w)", re.MULTILINE)
    imports = re.compile(rf"^[ \t]*>>> (?:from|import) .*?(?<![\w.])(?:{homes})(?!\w)", re.MULTILINE)
    for path in (*sorted(paths), *(one for one in repo.index.all_paths if one.endswith(_PAGES))):
        text = repo.index.text(path) or ""
        if ">>> " in text and (path in paths or imports.search(text)):
            found = used.search(text)
            if found is not None:
                line = text.count("\n", 0, found.start(1)) + 1
                yield path, line, f"an example uses {found[1]}"
    asked = re.compile(rf"from ({homes}) import [^\n;]*(?<!\w)({words})(?!\w)")
    for path in sorted(repo.index.files_with(*names)):
        text = repo.index.text(path) or ""
        for one in repo.index.source(path).strings if any(home in text for home in modules) else ():
            mentions = asked.search(str(one.value))
            if mentions is not None:
                yield path, one.lineno, f"a text imports {mentions[2]} from {mentions[1]}"


def examples_importing(repo: Repository, module: str) -> Iterator[tuple[str, int, str]]:
    """Where an example in a file or on a page imports a module."""
    pattern = re.compile(rf"^[ \t]*>>> (?:from|import) .*?(?<![\w.]){re.escape(module)}(?!\w)", re.MULTILINE)
    for path in repo.index.all_paths:
        text = (repo.index.text(path) or "") if path.endswith((*_PAGES, ".py")) else ""
        found = pattern.search(text) if ">>> " in text else None
        if found is not None:
            yield path, text.count("\n", 0, found.start()) + 1, f"an example imports {module}"

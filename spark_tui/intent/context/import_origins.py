"""The module that a name is imported from: a file of the repository, or one of the standard library."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from functools import lru_cache

from spark_tui.pysource.repository import Repository
from spark_tui.tables import read_table


@lru_cache(maxsize=1)
def known_imports() -> Mapping[str, str]:
    """Names of the standard library by the module that has them."""
    data = read_table(__file__, "known_imports.toml")
    return {name: module for module, names in data.items() for name in names}


@lru_cache(maxsize=1)
def standard_homes() -> Mapping[str, Sequence[str]]:
    """The modules of the standard library that have a public name."""
    data = read_table(__file__, "standard_names.toml")
    out: dict[str, list[str]] = {}
    for module, names in data.items():
        for name in names.split():
            out.setdefault(name, []).append(module)
    return out


def home_of(name: str, repo: Repository, path: str) -> str | None:
    """The module that has a name, as the file at `path` spells it: the one that defines it, or one of the
    standard library, of names that are less known the one from which the file imports already."""
    homes = [
        where
        for where, one in repo.index.symbols(name)
        if one.qualname == name and where != path and one.kind in ("class", "function", "variable")
    ]
    homes = [home for home in dict.fromkeys(homes) if not home.rpartition("/")[2].startswith("test_")]
    if len(homes) == 1:
        home = repo.index.modules.name(homes[0])
        known = repo.index.summary(path).imports if path in repo.index.paths else ()
        near = (one for one in known if one.level and one.name)
        spelled = ((one, repo.index.modules.absolute(path, one.module, one.level)) for one in near)
        return next(("." * one.level + one.module for one, module in spelled if module == home), home)
    if hasattr(builtins, name):
        return None
    if (standard := known_imports().get(name)) is not None:
        return standard
    imports = repo.index.summary(path).imports if path in repo.index.paths else ()
    used = {one.module for one in imports}
    near_homes = [module for module in standard_homes().get(name, ()) if module in used]
    return near_homes[0] if len(near_homes) == 1 else None

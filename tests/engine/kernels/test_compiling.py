"""Machine code that is kept: found again, and never that of other sources. Skipped without numba."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

numba = pytest.importorskip("numba")

from spark_tui.engine.kernels import compiling, int8_products, tile_dot, vnni_dot  # noqa: E402
from spark_tui.engine.kernels.choice import Choice  # noqa: E402

ENGINE = Path(compiling.__file__).parent


def next_number(value: int) -> int:
    return value + 1


def test_machine_code_is_found_again_while_the_sources_are_the_same(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def hits(digest: str) -> int:
        monkeypatch.setattr(compiling, "sources_digest", lambda: digest)
        made = compiling.compiled("int64(int64)")(next_number)
        assert made(4) == 5
        return sum(made.stats.cache_hits.values())

    assert [hits(digest) for digest in ("old", "old", "new", "new", "old")] == [0, 1, 0, 1, 1]


def test_every_module_that_machine_code_is_made_of_is_in_the_digest() -> None:
    uses = re.compile(
        r"^(?:import numba|from numba|from spark_tui.engine.kernels.compiling import compiled)", re.M
    )
    named = [path.name for path in ENGINE.glob("*.py") if uses.search(path.read_text("utf-8"))]
    assert {"int8_tiles.py", "tile_dot.py", "vnni_dot.py"} < set(named)
    assert [text for text in named if not text.startswith(compiling._SOURCES)] == []


def test_where_machine_code_cannot_be_kept_it_is_compiled_in_each_process(monkeypatch) -> None:
    def refused(function: object) -> object:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(compiling, "_KernelCache", refused)
    assert compiling.compiled("int64(int64)")(next_number)(4) == 5


def test_a_processor_that_numba_is_told_to_compile_for_has_no_special_instructions(monkeypatch) -> None:
    monkeypatch.setattr(numba.config, "CPU_NAME", "generic")
    assert vnni_dot.lanes() == 0
    assert not tile_dot.permitted.__wrapped__()


def test_a_process_that_may_not_use_amx_measures_for_itself(tmp_path, monkeypatch) -> None:
    """What was measured where AMX was permitted would leave it without any product."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def measured(name: str, permitted: bool) -> str:
        monkeypatch.setattr(tile_dot, "permitted", lambda: permitted)
        monkeypatch.setattr(int8_products, "_measured", lambda: Choice(name, 4, {}))
        return int8_products._choice.__wrapped__().name

    assert [measured("amx", True), measured("vnni", False), measured("none", True)] == ["amx", "vnni", "amx"]

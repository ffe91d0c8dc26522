"""Machines with less: no numba, a cache that cannot be written, one core, 512 MB. Slower, said once, never
wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from spark_tui.backends.factory import create_local
from spark_tui.backends.local import backend as local_backend
from spark_tui.config.settings import Settings
from spark_tui.engine.kernels import int8_products
from spark_tui.engine.runtime import machine

ASK = ["add a docstring to add", "-f", "shop/cart.py"]
BUILT_IN = "spark-6m"


@pytest.fixture
def said(repo, tmp_path):
    """Runs `spark exec` in the example repository after a shell prefix: the patch, and the notes of spark
    about the machine."""

    def run(prefix="", **environment):
        words = [sys.executable, "-m", "spark_tui", "exec", *ASK]
        command = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(
            ["bash", "-c", f"{prefix} {command}"],
            cwd=repo,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SPARK_EDIT_EXACT": "false", "OPENBLAS_NUM_THREADS": "1", **environment},
        )
        assert done.returncode == 0, done.stderr
        notes = [line for line in done.stderr.splitlines() if "engine." in line]
        return done.stdout, notes

    return run


@pytest.fixture
def usual(said):
    patch, notes = said()
    assert "+++ b/shop/cart.py" in patch and notes == []
    return patch


@pytest.mark.skipif(sys.platform != "linux", reason="address space cannot be bounded here")
def test_in_512_mb_the_answer_is_the_same_and_the_smaller_cache_is_said_once(said, usual):
    patch, notes = said("ulimit -v 524288;")
    assert patch == usual
    (note,) = notes
    assert "memory is limited" in note and "instead of 1024 (engine.cache_mb)" in note


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be taken away here")
def test_on_one_core_the_answer_is_the_same(said, usual):
    assert said(f"taskset -c {min(os.sched_getaffinity(0))}") == (usual, [])


def test_with_a_cache_that_cannot_be_written_the_answer_is_the_same(said, usual, tmp_path):
    (tmp_path / "file").write_text("")  # below a file nobody can make a folder
    patch, notes = said(XDG_CACHE_HOME=str(tmp_path / "file"), SPARK_ENGINE_REST="int8")
    assert patch == usual
    assert ["engine.rest has no effect: Not a directory" in note for note in notes] == [True]


def test_a_cache_folder_that_cannot_be_written_is_said_once(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    create_local(BUILT_IN, Settings()).close()
    (line,) = capsys.readouterr().err.splitlines()
    assert "nothing can be kept in the cache folder" in line and "Not a directory" in line


def test_without_numba_compiled_kernels_are_missed_once(monkeypatch, capsys):
    monkeypatch.setattr(int8_products, "missing", lambda: "numba is not installed")
    backend = create_local(BUILT_IN, Settings(fast=True))
    assert backend.engine.model.accelerator is None
    backend.close()
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "numba is not installed" in line] == said and len(said) == 1


def test_with_little_memory_the_compiler_is_not_loaded(monkeypatch):
    monkeypatch.setattr(int8_products, "find_spec", lambda name: name)
    monkeypatch.setattr(int8_products, "memory_left", lambda: 500 << 20)
    int8_products.missing.cache_clear()
    try:
        backend = create_local(BUILT_IN, Settings(fast=True))
        assert any("engine.fast has no effect: numba needs 640 MB" in note for note in backend.notes)
        assert backend.engine.model.accelerator is None
        backend.close()
    finally:
        int8_products.missing.cache_clear()


def test_a_control_group_bounds_the_cache(tmp_path, monkeypatch):
    group = tmp_path / "groups" / "box"
    group.mkdir(parents=True)
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("0::/box\n")
    (tmp_path / "self" / "statm").write_text("100 1 1 1 0 1 0\n")
    for name, value in (("max", 600 << 20), ("current", 200 << 20)):
        (group / f"memory.{name}").write_text(f"{value}\n")
    left = machine.memory_left(tmp_path, tmp_path / "groups")
    assert left == 400 << 20
    (group / "memory.stat").write_text(f"anon 4096\ninactive_file {30 << 20}\nactive_file {20 << 20}\n")
    assert machine.memory_left(tmp_path, tmp_path / "groups") == 450 << 20
    (group / "memory.max").write_text("max\n")
    assert machine.memory_left(tmp_path, tmp_path / "groups") is None
    older = tmp_path / "groups" / "memory" / "box"
    older.mkdir(parents=True)
    (tmp_path / "self" / "cgroup").write_text("4:cpu,memory:/box\n0::/\n")
    (older / "memory.limit_in_bytes").write_text(f"{300 << 20}\n")
    (older / "memory.usage_in_bytes").write_text(f"{100 << 20}\n")
    assert machine.memory_left(tmp_path, tmp_path / "groups") == 200 << 20
    monkeypatch.setattr(local_backend, "memory_left", lambda: 80 << 20)
    backend = create_local(BUILT_IN, Settings())
    assert "the cache has 20 MB" in backend.notes[0]
    assert backend.engine.holds_tokens <= 20 * 1024
    backend.close()

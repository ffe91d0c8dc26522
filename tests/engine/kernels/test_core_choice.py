"""The kernels of the matrix library: measured in processes of their own, and kept for the next one."""

from __future__ import annotations

import pytest

from spark_tui.engine.kernels import blas, core_choice
from spark_tui.engine.kernels.blas import AVX512_CORE, AVX512_FLAGS
from spark_tui.engine.runtime import machine_files

FAST, SLOW = [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]


@pytest.fixture(autouse=True)
def machine_with_avx512(monkeypatch):
    monkeypatch.setattr(blas, "cpu_flags", lambda: AVX512_FLAGS)
    monkeypatch.delenv(blas.CORE_VARIABLE, raising=False)


def measuring(own, own_seconds, asked_seconds):
    return lambda core: (core.title(), asked_seconds) if core else (own, own_seconds)


@pytest.mark.parametrize(("own", "asked", "winner"), [(SLOW, FAST, AVX512_CORE), (FAST, SLOW, "HASWELL")])
def test_the_winner_is_kept_and_asked_for_from_then_on(own, asked, winner):
    assert blas._wanted()[blas.CORE_VARIABLE] == AVX512_CORE
    said = core_choice.measure_core(measuring("Haswell", own, asked))
    assert "kernels won against" in said and blas.kept_core() == winner
    assert blas._wanted()[blas.CORE_VARIABLE] == winner
    assert core_choice.measure_core(lambda _: pytest.fail("measured again")) == ""


def test_where_the_library_chooses_the_same_nothing_is_compared():
    found = core_choice.measure_core(lambda core: pytest.fail("compared") if core else ("SkylakeX", FAST))
    assert found == "" and blas.kept_core() == AVX512_CORE


def test_the_users_choice_and_a_cpu_without_avx512_leave_nothing_to_measure(monkeypatch):
    monkeypatch.setattr(blas, "cpu_flags", frozenset)
    assert core_choice.measure_core(lambda _: pytest.fail("measured")) == ""
    monkeypatch.setattr(blas, "cpu_flags", lambda: AVX512_FLAGS)
    monkeypatch.setenv(blas.CORE_VARIABLE, "Haswell")
    assert core_choice.measure_core(lambda _: pytest.fail("measured")) == ""


def test_a_measurement_that_fails_changes_nothing(monkeypatch):
    assert core_choice.measure_core(lambda _: None) == "" and not blas.kept_core()
    monkeypatch.setattr(core_choice, "SECONDS", 0.001)
    assert core_choice.in_a_process("") is None


@pytest.mark.parametrize("text", ["", "[]", '{"core": 3}', '{"core": "a b"}', "\x00"])
def test_a_damaged_file_counts_as_none(text):
    blas.core_file().parent.mkdir(parents=True)
    blas.core_file().write_text(text)
    assert blas.kept_core() == "" and blas._wanted()[blas.CORE_VARIABLE] == AVX512_CORE


def test_a_process_measures_with_the_kernels_that_it_is_told():
    found = core_choice.in_a_process("")
    assert found is not None and all(item > 0 for item in found[1])
    if found[0]:
        again = core_choice.in_a_process("Nehalem")
        assert again is not None and again[0] != found[0]


def test_the_folder_is_that_of_the_settings(monkeypatch, tmp_path):
    from spark_tui.config import paths

    assert machine_files.folder() == paths.cache_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert machine_files.folder() == paths.cache_dir() == tmp_path / "spark"

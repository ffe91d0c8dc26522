"""The kernels that OpenBLAS is told to take, looked at in fresh interpreters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from spark_tui.cli.main import COMMANDS, WORKBENCH
from spark_tui.engine.kernels.blas import AVX512_CORE, AVX512_FLAGS, core_for, cpu_flags, facts

PROBE = """
import json, os, subprocess, sys
from dataclasses import asdict
{before}
import spark_tui.engine.kernels.panels
from spark_tui.engine.kernels.blas import facts
child = subprocess.run([sys.executable, "-c", "import os, json; print(json.dumps(dict(os.environ)))"],
                       capture_output=True, text=True, check=True)
print(json.dumps({{"facts": asdict(facts()), "child": json.loads(child.stdout)}}))
"""


def probe(before: str = "", **environment: str) -> dict:
    """What a fresh interpreter computes with, and what its children inherit."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "OMP"))
    }
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(before=before)],
        capture_output=True,
        text=True,
        check=True,
        env=inherited | environment,
    )
    found: dict = json.loads(done.stdout)
    return found


def test_the_core_type_is_raised_before_numpy_loads_and_no_child_inherits_it() -> None:
    found = probe()
    wanted = core_for(cpu_flags())
    assert found["facts"]["asked_core"] == wanted
    assert not any(name.startswith(("OPENBLAS", "OMP")) for name in found["child"])
    if wanted and found["facts"]["core"]:
        assert found["facts"]["core"].upper() == wanted
    if found["facts"]["threads"]:
        assert found["facts"]["threads"] == 1


def test_the_users_own_settings_stand() -> None:
    found = probe(OPENBLAS_CORETYPE="Haswell", OPENBLAS_NUM_THREADS="1")
    assert found["facts"]["asked_core"] == ""
    assert "set by the user" in found["facts"]["reason"]
    assert found["child"]["OPENBLAS_CORETYPE"] == "Haswell"
    assert found["child"]["OPENBLAS_NUM_THREADS"] == "1"


def test_numpy_that_was_there_before_is_noticed() -> None:
    found = probe(before="import numpy")
    assert found["facts"]["asked_core"] == ""
    assert "numpy was loaded before" in found["facts"]["reason"]
    if found["facts"]["threads"]:
        assert found["facts"]["threads"] == 1


def test_a_change_after_the_import_comes_too_late_and_nothing_is_left_behind() -> None:
    found = probe(before="import spark_tui, numpy; assert numpy.__spec__.loader is numpy.__loader__")
    assert found["facts"]["asked_core"] == core_for(cpu_flags())
    assert "SKYLAKEX" not in found["child"].values()


FIRST = [
    *(command.module for command in (WORKBENCH, *COMMANDS)),
    "spark_tui.mesh.simulated.kernels",
    "spark_tui.backends.local.backend",
]
IMPORTS = """
import importlib, os, sys
for name in {names!r}:
    pid = os.fork()
    if not pid:
        importlib.import_module(name)
        import numpy
        blas = sys.modules.get("spark_tui.engine.kernels.blas")
        os._exit(not blas or not blas._state.seen)
    if os.waitpid(pid, 0)[1]:
        print(name)
"""


def test_whatever_is_imported_first_numpy_comes_with_these_kernels() -> None:
    script = IMPORTS.format(names=FIRST)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_type_is_only_ever_raised() -> None:
    assert core_for(AVX512_FLAGS | {"sse"}) == AVX512_CORE
    for flag in AVX512_FLAGS:
        assert core_for(AVX512_FLAGS - {flag}) == ""


def test_cpu_flags_are_those_of_the_first_core(tmp_path: Path) -> None:
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor\t: 0\nflags\t\t: fpu avx512f sse\n\nprocessor\t: 1\nflags\t\t: other\n")
    assert cpu_flags(listing) == {"fpu", "avx512f", "sse"}
    assert cpu_flags(tmp_path / "none") == frozenset()


def test_facts_are_plain_values() -> None:
    assert json.loads(json.dumps(asdict(facts()))).keys() == {"core", "threads", "asked_core", "reason"}


@pytest.mark.parametrize("core", ["Haswell", ""])
def test_rows_are_bit_identical_where_the_machine_is_measured_exact(core: str) -> None:
    """Where `rows_are_exact` says so, a model's logits are equal bit for bit for any cut; else it does not
    say so."""
    script = f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})
import spark_tui.engine.kernels.panels
import numpy as np
from support.naive_model import VARIANTS, ids_of, weights_of
from spark_tui.engine.cache.pool import Pool
from spark_tui.engine.cache.sequence import Sequence
from spark_tui.engine.kernels.panels import rows_are_exact
from spark_tui.engine.model import BatchJob, Model
arch = VARIANTS["spark"]
model, pool, ids = Model(arch, weights_of(arch)), Pool(arch, 1 << 22), ids_of(arch, 150)
whole = model.forward([BatchJob(Sequence(pool), ids, 150)]).copy()
sequence, parts = Sequence(pool), []
for size in (1, 1, 2, 70, 3, 16, 40, 17):
    following = ids[sequence.length : sequence.length + size]
    parts.append(model.forward([BatchJob(sequence, following, size)]).copy())
equal = np.array_equal(np.vstack(parts), whole)
assert not rows_are_exact() or equal
assert model.exact == rows_are_exact()
"""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "OMP"))
    }
    if core:
        environment["OPENBLAS_CORETYPE"] = core
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)

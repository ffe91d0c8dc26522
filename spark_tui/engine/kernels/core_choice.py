"""Which OpenBLAS kernels are faster on this machine: its own choice, or those for AVX-512.

The library selects its kernels when numpy is loaded, so each is measured in a separate process. The result is
stored in a file that `blas.py` reads before numpy is loaded, from the next process on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

from spark_tui.engine.kernels import blas
from spark_tui.engine.kernels.choice import choose
from spark_tui.engine.runtime import machine_files

SECONDS = 20.0
"""A process that takes longer is not believed."""
_CODE = """
import json, numpy
from spark_tui.engine.kernels import blas
from spark_tui.engine.kernels.choice import panels_seconds
from spark_tui.engine.kernels.panels import Panels
blas.set_blas_threads(1)
print(json.dumps([blas.facts().core, panels_seconds(Panels)]))
"""

Measurement = tuple[str, list[float]]
"""The kernels that a process had, and the seconds of its products."""


def measure_core(measured: Callable[[str], Measurement | None] | None = None) -> str:
    """Compare the kernels, where there are two kinds, and keep the winner. What was found, in words; empty
    where there is nothing to choose, or the user chose."""
    wanted = blas.core_for(blas.cpu_flags())
    if not wanted or blas.CORE_VARIABLE in os.environ or blas.kept_core():
        return ""
    measured = measured or in_a_process
    own = measured("")
    if own is None:
        return ""
    if own[0].upper() == wanted:
        machine_files.write(blas.core_file(), {"core": wanted})
        return ""
    asked = measured(wanted)
    if asked is None or asked[0].upper() != wanted:
        return ""
    wins = choose({wanted: asked[1], own[0]: own[1]}, own[0], all_rows=True).rows > 0
    trouble = machine_files.write(blas.core_file(), {"core": wanted if wins else own[0].upper()})
    words = f"{wanted if wins else own[0]} kernels won against {own[0] if wins else wanted}"
    return f"{words}; {trouble}" if trouble else words


def in_a_process(core: str) -> Measurement | None:
    """Products with these kernels, with the library's own choice for the empty name."""
    environment = {name: value for name, value in os.environ.items() if name != blas.CORE_VARIABLE}
    if core:
        environment[blas.CORE_VARIABLE] = core
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CODE],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            env=environment,
        )
        name, seconds = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return str(name), [float(second) for second in seconds]

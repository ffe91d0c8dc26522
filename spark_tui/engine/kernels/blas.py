"""Import numpy with the OpenBLAS kernels that suit this CPU, and with one BLAS thread.

OpenBLAS chooses its kernels once, when numpy is imported, and falls back to old ones on CPUs newer than
itself. Only environment variables can override the choice, so they are set during the import and restored
afterwards: no child process inherits them. An import hook of the package routes the first numpy import
through this module, whichever room makes it. `facts()` reports the result for `spark doctor`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from spark_tui.engine.runtime import machine_files

AVX512_CORE = "SKYLAKEX"
AVX2_CORES = frozenset({"HASWELL", "ZEN"})
LOOP_SERIES = b"OpenBLAS 0.3."
AVX512_FLAGS = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl"})
CORE_VARIABLE = "OPENBLAS_CORETYPE"
CACHE_VARIABLE = "OPENBLAS_L2_SIZE"
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOTO_NUM_THREADS")


@dataclass(slots=True)
class _State:
    """What was done when numpy was loaded, once per process."""

    asked_core: str = ""
    reason: str = "numpy was loaded before spark, its kernels stay as they are"
    seen: bool = False


_state = _State()


@dataclass(frozen=True, slots=True)
class BlasFacts:
    """What was chosen and why; `spark doctor` prints it."""

    core: str
    """The kernels in use, as OpenBLAS names them; empty when another library is linked."""
    threads: int
    """BLAS threads; 0 when not known."""
    asked_core: str
    """The core type that was requested; empty if the library's own choice was kept."""
    reason: str


def cpu_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """The feature flags of the first core; empty where the system does not list them."""
    with suppress(OSError):
        for line in cpuinfo.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("flags"):
                return frozenset(line.partition(":")[2].split())
    return frozenset()


def core_for(flags: frozenset[str]) -> str:
    """The core type worth asking for, empty for the library's own choice. It is only ever raised."""
    return AVX512_CORE if flags >= AVX512_FLAGS else ""


def core_file() -> Path:
    """Where the kernels that won on this machine are kept (see `core_choice.py`)."""
    return machine_files.folder() / f"kernels-core-{machine_files.key()}.json"


def kept_core() -> str:
    """The kernels that won on this machine; empty where they were not measured."""
    found = machine_files.read(core_file()).get("core")
    return found if isinstance(found, str) and found.isalnum() else ""


def numpy_spec() -> ModuleSpec | None:
    """The import spec that loads numpy with the right kernels. The import system calls it once (see
    `spark_tui/__init__.py`).
    """
    spec = importlib.util.find_spec("numpy")
    if spec is not None and spec.loader is not None:
        spec.loader = _Raising(spec.loader)
    return spec


class _Raising(Loader):
    """Loads as another loader does, with the variables set for that moment."""

    def __init__(self, inner: Loader) -> None:
        self._inner = inner

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner  # it is the module's own from here on
        module.__loader__ = self._inner
        wanted = _wanted()
        os.environ.update(wanted)
        try:
            self._inner.exec_module(module)
        finally:
            for name in wanted:
                os.environ.pop(name, None)


def _wanted() -> dict[str, str]:
    """The variables to set. Variables that the user has set are kept."""
    wanted: dict[str, str] = {}
    if CORE_VARIABLE in os.environ:
        _state.reason = f"{CORE_VARIABLE} is set by the user"
    elif core := core_for(cpu_flags()):
        kept = kept_core()
        wanted[CORE_VARIABLE] = _state.asked_core = kept or core
        _state.reason = "measured on this machine" if kept else "the CPU has AVX-512 (f, bw, dq, vl)"
    else:
        _state.reason = "the library's own choice"
    if not any(name in os.environ for name in THREAD_VARIABLES):
        wanted[THREAD_VARIABLES[0]] = "1"
    _state.seen = True
    return wanted


def prepare() -> None:
    """Load numpy. Where it was there before this package, its kernels stay, but one thread is enough."""
    import numpy  # noqa: F401

    if not _state.seen and not any(name in os.environ for name in THREAD_VARIABLES):
        set_blas_threads(1)


def preset() -> dict[str, str]:
    """The variables in the environment that choose kernels or their blocks."""
    return {name: os.environ[name] for name in (CORE_VARIABLE, CACHE_VARIABLE) if name in os.environ}


def _library() -> ctypes.CDLL | None:
    """The OpenBLAS that numpy's wheel brought, or None."""
    numpy = sys.modules.get("numpy")
    if not isinstance(numpy, ModuleType) or numpy.__file__ is None:
        return None
    root = Path(numpy.__file__).parent
    for folder in (root.parent / "numpy.libs", root / ".dylibs", root / ".libs"):
        for path in sorted(folder.glob("*openblas*")):
            with suppress(OSError):
                return ctypes.CDLL(str(path))
    return None


def _symbol(library: ctypes.CDLL, name: str) -> ctypes._NamedFuncPointer | None:
    for form in (f"scipy_{name}64_", f"scipy_{name}", f"{name}64_", name):
        with suppress(AttributeError):
            return getattr(library, form)  # type: ignore[no-any-return]
    return None


def set_blas_threads(count: int) -> bool:
    """Set OpenBLAS's thread count in this process. False where the library cannot be reached."""
    library = _library()
    setter = _symbol(library, "openblas_set_num_threads") if library else None
    if setter is None:
        return False
    setter(ctypes.c_int(count))
    return True


InnerLoop = Callable[[int, int, int, float, int, int, int, int], int]
"""`(outputs, rows, depth, factor, strips, packed rows, target, stride)`: lengths in floats, places as
addresses."""


@cache
def inner_loop() -> InnerLoop | None:
    """The innermost function of OpenBLAS's single-precision products where its kernels are those of AVX2,
    else None.

    It is not part of the library's interface, but it is the same in all of 0.3, the only supported series.
    Callers first check that it computes what it should (`weight_strips.py`). A user who chose the kernels
    (`OPENBLAS_CORETYPE`) always gets the public interface.
    """
    if CORE_VARIABLE in os.environ:
        return None
    library, core = _library(), facts().core.upper()
    config = _symbol(library, "openblas_get_config") if library else None
    if library is None or config is None or core not in AVX2_CORES:
        return None
    config.restype = ctypes.c_char_p
    if not config().startswith(LOOP_SERIES):
        return None
    with suppress(AttributeError):
        found = library[f"sgemm_kernel_{core}"]
        size, place = ctypes.c_longlong, ctypes.c_void_p
        found.argtypes = [size, size, size, ctypes.c_float, place, place, place, size]
        found.restype = ctypes.c_int
        loop: InnerLoop = found
        return loop
    return None


def facts() -> BlasFacts:
    """What this process computes with."""
    core, threads = "", 0
    if library := _library():
        if (name := _symbol(library, "openblas_get_corename")) is not None:
            name.restype = ctypes.c_char_p
            core = name().decode("ascii", "replace")
        if (get := _symbol(library, "openblas_get_num_threads")) is not None:
            threads = int(get())
    return BlasFacts(core=core, threads=threads, asked_core=_state.asked_core, reason=_state.reason)

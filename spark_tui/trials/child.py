"""The process in which code is tried: limits, modules that are texts, and requests as lines of JSON.

It is run as a script and uses the standard library alone. Files may be written in the folder in which it is
started only; the network and other programs are refused by an audit hook. That keeps mistakes from doing
harm; it does not hold code that was written to break out.
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import fcntl
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import linecache
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dis import opmap
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, NoReturn

_MEMORY = 2 << 30
_FILE = 10_000_000
_OWN_USER, _OWN_NETWORK = 0x10000000, 0x40000000
_NO_IMPORT = {"ctypes", "_ctypes", "cffi", "_dbm", "_gdbm", "_posixshmem"}
"""Modules that reach files and memory of others without an audit event."""
_TIME_ZONES = "/usr/share/zoneinfo"
_LATE = 1.0
"""Seconds after the end of its time at which the process ends itself, if whoever started it is gone."""
_SHOWN, _FAR = 300, 200
_MOST_COMPILED = 100
_REFUSED: list[str] = []
"""What was refused since the last test began."""


class OutOfTime(BaseException):
    """A test took longer than it may."""


class Texts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules from texts by their dotted names, before all others."""

    def __init__(self, compiler: Any) -> None:
        self._compiler = compiler
        self.modules: dict[str, tuple[str, str, bool]] = {}
        self.changed: dict[str, str] = {}
        self._loaded: set[str] = set()
        self._compiled: dict[tuple[str, str], CodeType] = {}
        self._compilers: dict[str, Any] = {}

    def find_spec(self, name: str, *_where: Any) -> Any:
        if name not in self.modules:
            inside = any(one.startswith(f"{name}.") for one in self.modules)
            return importlib.machinery.ModuleSpec(name, self, is_package=True) if inside else None
        _, path, package = self.modules[name]
        return importlib.util.spec_from_loader(name, self, origin=path, is_package=package)

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        self._loaded.add(name)
        if name in self.modules:
            module.__file__ = self.modules[name][1]
            exec(self._code(name), module.__dict__)

    def _code(self, name: str) -> CodeType:
        text, path, _ = self.modules[name]
        if name not in self._compilers:
            self._compilers[name] = self._compiler(text.removeprefix("\ufeff"), path)
        compiler, changed = self._compilers[name], self.changed.get(name)
        if changed is None:
            plain: CodeType = compiler.plain()
            return plain
        code = self._compiled.get((name, changed))
        if code is None:
            code = compiler.variant(changed.removeprefix("\ufeff"))
            if len(self._compiled) >= _MOST_COMPILED:
                self._compiled.clear()
            self._compiled[name, changed] = code
        return code

    def forget(self) -> None:
        for name in self._loaded:
            sys.modules.pop(name, None)
        self._loaded.clear()


def limit(folder: str) -> None:
    """Limits of memory and file size, and an audit hook that refuses what reaches outside of a folder."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE, _FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass
    events = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
    refused, on_paths = tuple(events["refused"]), tuple(events["on_paths"])
    _without_network()
    _without_programs()
    homes = (sys.prefix, sys.base_prefix, str(Path(os.__file__).parent), _TIME_ZONES)
    readable = tuple({os.path.realpath(one) for one in homes})

    def inside(path: Any, *folders: str) -> bool:
        if isinstance(path, int):
            return True
        where = os.path.realpath(os.fsdecode(path))
        return any(where == one or where.startswith(one + os.sep) for one in folders)

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and args[0] is not None:
            mode, flags = args[1], args[2]
            writes = any(one in mode for one in "wax+") if mode else bool(flags & 3)
            if inside(args[0], folder, "/dev/null") or (not writes and inside(args[0], *readable)):
                return
            refuse(f"{args[0]!r}")
        if event == "import" and args[0] in _NO_IMPORT:
            raise ImportError(f"{args[0]} is refused in a trial")
        if event.startswith(refused):
            refuse(event)
        if event.startswith(on_paths):
            paths = [one for one in args if isinstance(one, str | bytes) and one != ":memory:"]
            if not all(inside(one, folder) for one in paths):
                refuse(event)

    sys.addaudithook(watch)


def refuse(what: object, *_: Any) -> NoReturn:
    _REFUSED.append(str(what))
    raise PermissionError(f"{what} is refused in a trial")


def _without_programs() -> None:
    """No program is started by what has no audit event, as `multiprocessing` does."""
    with contextlib.suppress(ImportError):
        import _posixsubprocess

        _posixsubprocess.fork_exec = refuse


def _without_network() -> None:
    """A network of its own, with nothing in it, where the kernel grants one."""
    with contextlib.suppress(OSError, AttributeError, ImportError):
        if hasattr(os, "unshare"):
            os.unshare(_OWN_USER | _OWN_NETWORK)
        else:
            import ctypes

            ctypes.CDLL(None, use_errno=True).unshare(_OWN_USER | _OWN_NETWORK)
            for name in [one for one in sys.modules if one.partition(".")[0] in _NO_IMPORT]:
                del sys.modules[name]


_WAITING = 4
"""How many times as long a test may take by the clock, where it waits or others run, as of processor time."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in the block after so much processor time."""

    def stop(*_: Any) -> None:
        raise OutOfTime

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, _WAITING))
    for number, timer, times in timers:
        signal.signal(number, stop)
        signal.setitimer(timer, times * seconds)
    try:
        yield
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)


class Trials:
    """What is asked of the process: tests of the modules as they are, and with variants of them."""

    def __init__(self, texts: Texts, folder: str, runner: ModuleType) -> None:
        self.texts, self.folder, self.runner = texts, folder, runner

    def load(self, modules: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        """Take modules as texts; none in the place of one that Python has loaded, like `types`."""
        self.texts.modules = {name: tuple(one) for name, one in modules.items() if name not in sys.modules}
        return {}

    def list(self, modules: Sequence[str], seconds: float) -> dict[str, Any]:
        """The names of the tests in modules, and why a module has none."""
        found, broken = [], {}
        for module in modules:
            try:
                with within(seconds):
                    found += [[module, name] for name in self.runner.test_names(self._import(module))]
            except BaseException as error:
                broken[module] = _shown(error)
        self.texts.forget()
        return {"tests": found, "broken": broken}

    def run(self, tests: Sequence[Sequence[str]], seconds: float, trace: bool = False) -> dict[str, Any]:
        """What comes of each test, and the lines that it runs."""
        return {"results": [self._one(module, name, seconds, trace) for module, name in tests]}

    def vary(
        self,
        variants: Sequence[Mapping[str, str]],
        first: Sequence[Sequence[str]],
        others: Sequence[Sequence[str]],
        seconds: float,
    ) -> dict[str, Any]:
        """For each variant whether the first tests pass with it, and then how many of the others fail."""
        out = []
        for variant in variants:
            self.texts.changed = dict(variant)
            good = all(self._one(module, name, seconds)["state"] == "passed" for module, name in first)
            bad = sum(
                self._one(module, name, seconds)["state"] != "passed" for module, name in others if good
            )
            out.append([good, bad])
        self.texts.changed = {}
        return {"variants": out}

    def observe(
        self, variants: Sequence[Mapping[str, str]], tests: Sequence[Sequence[str]], seconds: float
    ) -> dict[str, Any]:
        """For each variant and each probe the values that it looks at, and the class of what ends it."""
        out = []
        for variant in variants:
            self.texts.changed = dict(variant)
            found = [self._one(module, name, seconds) for module, name in tests]
            out.append([[one.get("value", ""), one.get("ended", one.get("error", ""))] for one in found])
        self.texts.changed = {}
        return {"variants": out}

    def _import(self, name: str) -> ModuleType:
        self.texts.forget()
        random.seed(0)
        for one in self.texts.modules if "test" in name else ():
            if one.rpartition(".")[2] == "conftest":
                with contextlib.suppress(ImportError):  # tests without its fixtures run all the same
                    importlib.import_module(one)
        return importlib.import_module(name)

    def _one(self, module: str, name: str, seconds: float, trace: bool = False) -> dict[str, Any]:
        lines: dict[str, set[int]] = {}
        begun = time.monotonic()
        _REFUSED.clear()
        looked = self.runner.ProbedValues()
        setattr(builtins, self.runner.LOOK, looked)
        try:
            with within(seconds), contextlib.redirect_stdout(_Nowhere()):
                loaded = self._import(module)
                if trace:
                    sys.settrace(_tracer({path for _, path, _ in self.texts.modules.values()}, lines))
                value = self.runner.run_test(loaded, name, self.folder)
            state = {"state": "passed", "value": value}
        except self.runner.SKIPPED:
            state = {"state": "skipped"}
        except OutOfTime:
            state = {"state": "failed", "error": "out of time"}
        except (PermissionError, ImportError, self.runner.Unknown) as error:
            state = {"state": "refused", "error": _shown(error)}
        except BaseException as error:
            state = {"state": "failed", "error": _shown(error), "kind": type(error).__name__}
            state["ended"] = f"{'raise ' * self._is_raised(error)}{state['kind']}"
            if isinstance(error, FileNotFoundError) and not Path(str(error.filename)).is_absolute():
                state["state"] = "refused"  # files of the repository are not here
        finally:
            sys.settrace(None)
        if _REFUSED:  # also where the code went on without it
            state = {"state": "refused", "error": f"PermissionError: {_REFUSED[0]}"}
        state["seconds"] = time.monotonic() - begun
        if looked:
            state["value"] = "\n".join(looked)
        if trace:
            state["lines"] = {path: sorted(found) for path, found in lines.items()}
        return state

    def _is_raised(self, error: BaseException) -> bool:
        """Whether a `raise` of the modules made an error, not what they did."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None:
            return False
        code = trace.tb_frame.f_code
        own = code.co_filename in {path for _, path, _ in self.texts.modules.values()}
        return own and code.co_code[trace.tb_lasti] == opmap["RAISE_VARARGS"]


class _Nowhere:
    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


def _shown(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:_SHOWN]


def _tracer(paths: set[str], lines: dict[str, set[int]]) -> Any:
    def on_call(frame: FrameType, *_: Any) -> Any:
        path = frame.f_code.co_filename
        if path not in paths:
            return None
        found = lines.setdefault(path, set())

        def on_line(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                found.add(frame.f_lineno)
            return on_line

        return on_line

    return on_call


def _module_of(name: str) -> ModuleType:
    """A file beside this one, as a module that no other one can be taken for."""
    spec = importlib.util.spec_from_file_location(f"_spark_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    # As numbers that no code hits by mistake.
    questions, answers = (os.fdopen(fcntl.fcntl(at, fcntl.F_DUPFD_CLOEXEC, _FAR), "rw"[at]) for at in (0, 1))
    nothing = os.open(os.devnull, os.O_RDWR)
    for at in (0, 1):
        os.dup2(nothing, at)
    sys.stdin = io.StringIO()
    sys.dont_write_bytecode = True
    linecache.getlines = lambda *_, **__: []
    sys.modules["pytest"] = _module_of("pytest_stub")
    texts = Texts(_module_of("one_function").Compiler)
    trials = Trials(texts, str(Path.cwd()), _module_of("running"))
    sys.meta_path.insert(0, texts)
    limit(os.path.realpath(trials.folder))
    tempfile.tempdir = trials.folder
    faulthandler.dump_traceback_later(float(sys.argv[1]) + _LATE, exit=True, file=nothing)
    for line in questions:
        asked = json.loads(line)
        answer = getattr(trials, asked.pop("do"))(**asked)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    shutil.rmtree(trials.folder, ignore_errors=True)  # nobody else does where the questions end
    os._exit(0)


if __name__ == "__main__":
    main()

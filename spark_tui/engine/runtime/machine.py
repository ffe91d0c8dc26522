"""Facts about the processor and the memory that figures depend on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_M_ARENA_MAX = -8
"""From glibc's malloc.h."""


def core_count() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cpu_name() -> str:
    """The model's name and what of its vector units the kernels care about."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    entries = dict(
        [part.strip() for part in line.split(":", 1)]
        for line in text.split("\n\n")[0].splitlines()
        if ":" in line
    )
    flags = set(entries.get("flags", "").split())
    units = [unit for unit in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16") if unit in flags]
    family = (
        f" family {entries['cpu family']} model {entries.get('model', '?')}"
        if "cpu family" in entries
        else ""
    )
    return " ".join([entries.get("model name", platform.machine()) + family, *units])


def memory_left(proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes that this process may still take, where something bounds it: `ulimit -v`, or the memory of its
    control group. None where nothing does."""
    import resource

    found: list[int] = []
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(OSError, ValueError, IndexError):
        if limit != resource.RLIM_INFINITY:
            pages = int((proc / "self" / "statm").read_text("ascii").split()[0])
            found.append(limit - pages * resource.getpagesize())
    for folder, limited, taken in _memory_groups(proc, groups):
        with suppress(OSError, ValueError):
            most = int((folder / limited).read_text("ascii"))
            used = int((folder / taken).read_text("ascii"))
            found.append(most - used + _cached_files(folder))
    return max(0, min(found)) if found else None


def memory_free(proc: Path = Path("/proc")) -> int | None:
    """Bytes that the system can give to programs before it ends one of them. None where it does not say."""
    with suppress(OSError, ValueError, KeyError):
        lines = (proc / "meminfo").read_text("ascii").splitlines()
        kilobytes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
        return (kilobytes["MemAvailable"] + kilobytes["SwapFree"]) << 10
    return None


def share_one_heap() -> None:
    """Where `ulimit -v` bounds the addresses, let all threads take memory from one heap: glibc reserves 64 MB
    of addresses for each thread otherwise, and the limit is reached with most of it unused."""
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        import ctypes

        with suppress(OSError, AttributeError):  # no glibc
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def _memory_groups(proc: Path, groups: Path) -> Iterator[tuple[Path, str, str]]:
    """Folders of control groups that may bound memory, and the names of their files, in both versions. In a
    container its own group may be the one at the top."""
    lines = []
    with suppress(OSError):
        lines = (proc / "self" / "cgroup").read_text("utf-8").splitlines()
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            for folder in (groups / path.lstrip("/"), groups):
                yield folder, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            top = groups / "memory"
            for folder in (top / path.lstrip("/"), top):
                yield folder, "memory.limit_in_bytes", "memory.usage_in_bytes"


def _cached_files(group: Path) -> int:
    """Bytes of a control group that hold files read before, which make room for anything else."""
    with suppress(OSError, ValueError):
        lines = (group / "memory.stat").read_text("ascii").splitlines()
        found = {name: int(count) for name, _, count in (line.partition(" ") for line in lines)}
        kinds = ("inactive_file", "active_file")
        return sum(found.get(f"total_{kind}", found.get(kind, 0)) for kind in kinds)
    return 0

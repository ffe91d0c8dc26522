"""Facts about the processor that figures depend on."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def core_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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

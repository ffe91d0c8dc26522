"""The fitted constants: four, each physical, with its unit. Everything else in the room is published or
counted.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constants:
    """What published sources do not say and timings must."""

    mapped_issue_cycles: float
    """Set-up of one vector multiply-add inside a `@map` loop (decode and prefill)."""
    stage_software_cycles: float
    """Software's share of one routing stage of a K-tree, over ramps and ALU (decode)."""
    gemm_step_cycles: float
    """Tasks and descriptors of one cyclic-shift step (prefill)."""
    gpu_bus_bytes_per_second: float
    """What one GPU moves in an allreduce of activations between GPUs (the published A100 system)."""


UNITS = {
    "mapped_issue_cycles": "cycles per vector instruction",
    "stage_software_cycles": "cycles per routing stage",
    "gemm_step_cycles": "cycles per MeshGEMM step",
    "gpu_bus_bytes_per_second": "bytes per second per GPU",
}
MEANINGS = {
    "mapped_issue_cycles": "setup of one mapped multiply-add",
    "stage_software_cycles": "software share of one K-tree routing stage",
    "gemm_step_cycles": "tasks and descriptors of one cyclic-shift step",
    "gpu_bus_bytes_per_second": "allreduce bandwidth between the published system's A100s",
}

UNFITTED = Constants(
    mapped_issue_cycles=1.0, stage_software_cycles=0.0, gemm_step_cycles=16.0, gpu_bus_bytes_per_second=300e9
)
"""What one would say before any timing: an instruction a cycle, wires only, one instruction's set-up, the
NVLink data sheet."""
FITTED = Constants(
    mapped_issue_cycles=3.78,
    stage_software_cycles=15.6,
    gemm_step_cycles=155.0,
    gpu_bus_bytes_per_second=17.2e9,
)

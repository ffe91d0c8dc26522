"""The comparator: what GPUs do with the same model, as a roofline from published facts.

A pass reads every weight and key once (at the share of the memory bandwidth that a bare kernel was
measured to reach) or multiplies (at a share of the arithmetic peak), whichever takes longer. On top of
that each layer costs a floor: the launches and latencies of its kernels. Tensor parallelism adds two ring
allreduces a layer. Kernels are queued while a GPU waits for the others, so a layer pays for its floor or
for its allreduces, whichever is longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.errors import UsageError
from spark_tui.mesh.estimates.cost import kv_bytes, layer_params
from spark_tui.mesh.facts.fitted_constants import Constants
from spark_tui.shapes import ModelShape

COMPUTE_SHARE = 0.62
"""Share of the arithmetic peak in prefill. `gpu.csv` gives this share for the bandwidth of a whole decode
pass; it is assumed for arithmetic."""
KERNEL_SHARE = 0.78
"""`gpu.csv`: 1.60 of 2.039 TB/s in a 16K matrix-vector product."""
MEMORY_SHARE = 0.9
"""What a serving stack takes of a GPU's memory for weights and keys (vLLM's default)."""
WORKSPACE_BYTES = 2e9
"""Assumed for activations and the stack's own buffers, on each GPU. A 70B model in fp16 then takes four GPUs
of 80 GB, as in the published rows."""
RING_STEP_SECONDS = 35e-6 / 14
"""`gpu.csv`: 35 µs an allreduce over eight GPUs, which is a ring of 2·(8 - 1) steps."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU, by its data sheet."""

    name: str
    memory_bytes_per_second: float
    dense_fp16_flops: float
    memory_bytes: float
    bus_bytes_per_second: float
    """Data sheet of the link between GPUs, one way."""
    layer_floor_seconds: float
    """Launches and latencies of one layer's kernels in a serving stack; see `FLOOR_ROWS`."""


A100_FLOOR_SECONDS = 91e-6
H100_FLOOR_SECONDS = 33e-6
FLOOR_ROWS = {"a100": ("gpu", 3), "h100": ("gpu batch 1", 6)}
"""The published row that each floor is solved from, as its table and its place in it: an 8B model on one A100
under SGLang, and a 1B model on one H100. A test solves them again. No floor is published for an H200 or a
B200: they get the H100's."""

GPUS: dict[str, Gpu] = {
    gpu.name: gpu
    for gpu in (
        Gpu("a100", 2.039e12, 312e12, 80e9, 300e9, A100_FLOOR_SECONDS),
        Gpu("h100", 3.35e12, 989e12, 80e9, 450e9, H100_FLOOR_SECONDS),
        Gpu("h200", 4.8e12, 989e12, 141e9, 450e9, H100_FLOOR_SECONDS),
        Gpu("b200", 8.0e12, 2250e12, 192e9, 900e9, H100_FLOOR_SECONDS),
    )
}


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests as they come: what the published served-load runs were driven with."""

    prompt_tokens: int
    output_tokens: int
    requests_per_second: float
    """Averaged over the stages of the run."""
    most_sequences: int = 128


WORKLOADS = {
    "general": Workload(547, 248, 14.0),
    "codegen": Workload(566, 247, 7.5),
    "roleplay": Workload(750, 251, 6.0),
    "reasoning": Workload(1034, 1448, 4.0),
}


def find(name: str) -> Gpu:
    text = name.lower()
    for key, gpu in GPUS.items():
        if key in text:
            return gpu
    raise UsageError(f"unknown GPU {name!r}", hint=f"Known: {', '.join(GPUS)}.")


def bus_of(gpu: Gpu, constants: Constants) -> float:
    """The fitted bandwidth belongs to the published A100 system; other GPUs have their data sheet."""
    return constants.gpu_bus_bytes_per_second if gpu.name == "a100" else gpu.bus_bytes_per_second


def allreduce_seconds(gpus: int, payload_bytes: float, bus_bytes_per_second: float) -> float:
    """A ring over all of them."""
    if gpus <= 1:
        return 0.0
    return 2 * (gpus - 1) * RING_STEP_SECONDS + 2 * (gpus - 1) / gpus * payload_bytes / bus_bytes_per_second


def count_for(shape: ModelShape, gpu: Gpu, context: int = 0) -> int:
    """How many hold the weights and that many keys; a power of two, as tensor parallelism has it."""
    held = shape.n_params * 2 + kv_bytes(shape, context)
    count = 1
    while count * (MEMORY_SHARE * gpu.memory_bytes - WORKSPACE_BYTES) < held:
        count *= 2
    return count


def read_params(shape: ModelShape) -> int:
    """Weights that one pass reads: the layers and the head, not the embedding table."""
    return layer_params(shape) * shape.n_layers + shape.vocab_size * shape.d_model


def waiting_seconds(shape: ModelShape, gpu: Gpu, gpus: int, rows: float, bus: float) -> float:
    """The time a pass takes besides reading and multiplying: launches, latencies, allreduces."""
    between = 2 * allreduce_seconds(gpus, rows * shape.d_model * 2.0, bus)
    return shape.n_layers * max(gpu.layer_floor_seconds, between)


def pass_seconds(
    shape: ModelShape, gpu: Gpu, gpus: int, rows: int, context: int, bus: float, bytes_per_weight: float = 2
) -> float:
    """One forward pass of one sequence over its last `rows` tokens, `context` tokens in all, causal."""
    moved = read_params(shape) * bytes_per_weight + kv_bytes(shape, context)
    reading = moved / (gpus * KERNEL_SHARE * gpu.memory_bytes_per_second)
    linear = 2.0 * layer_params(shape) * shape.n_layers * rows
    seen = [min(2 * window or 2 * context, 2 * context - rows) for window in shape.windows or (0,)]
    scores = shape.n_layers * rows * sum(seen) / len(seen)
    attention = 2.0 * shape.n_heads * shape.head_dim * scores
    head = 2.0 * shape.vocab_size * shape.d_model
    computing = (linear + attention + head) / (gpus * COMPUTE_SHARE * gpu.dense_fp16_flops)
    return max(reading, computing) + waiting_seconds(shape, gpu, gpus, rows, bus)


def decode_seconds(shape: ModelShape, gpu: Gpu, gpus: int, context: int, bus: float) -> float:
    """One token of one sequence."""
    return pass_seconds(shape, gpu, gpus, 1, context, bus)


def prefill_seconds(shape: ModelShape, gpu: Gpu, gpus: int, prompt: int, bus: float) -> float:
    """The whole prompt at once."""
    return pass_seconds(shape, gpu, gpus, prompt, prompt, bus)


def end_to_end_seconds(shape: ModelShape, gpu: Gpu, gpus: int, prompt: int, output: int, bus: float) -> float:
    middle = prompt + output // 2
    return prefill_seconds(shape, gpu, gpus, prompt, bus) + output * decode_seconds(
        shape, gpu, gpus, middle, bus
    )


def served_token_seconds(
    shape: ModelShape, gpu: Gpu, gpus: int, load: Workload, bus: float, bytes_per_weight: float = 2
) -> float:
    """Between two tokens of one user when others are served too. Sequences in flight follow from the load
    (Little's law): each adds its keys to what a pass reads, which makes passes longer, which adds
    sequences."""
    rate = gpus * KERNEL_SHARE * gpu.memory_bytes_per_second
    held = shape.n_params * bytes_per_weight
    room = max(MEMORY_SHARE * gpus * gpu.memory_bytes - held, 0.0)
    in_flight = load.prompt_tokens + load.output_tokens / 2
    most = max(min(float(load.most_sequences), room / kv_bytes(shape, in_flight)), 1.0)
    weights = read_params(shape) * bytes_per_weight / rate
    keys = kv_bytes(shape, in_flight) / rate
    seconds = weights
    for _ in range(200):
        flying = max(min(load.requests_per_second * load.output_tokens * seconds, most), 1.0)
        seconds = weights + flying * keys + waiting_seconds(shape, gpu, gpus, flying, bus)
    return seconds

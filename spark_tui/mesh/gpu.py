"""The comparator: what GPUs do with the same model, as a roofline from published facts.

Comes in: a model shape, a GPU, how many, a workload. Goes out: seconds. Must not know: wafers.
Launch latencies are not modelled: for models of well under a billion weights the figures are upper bounds.

Decode at batch 1 reads every weight and key once at the share of memory bandwidth that a serving stack was
measured to reach (0.62), prefill computes at the same share of the peak, and tensor parallelism adds two ring
allreduces a layer: a published latency (35 µs for eight GPUs, 14 ring steps) and a fitted bandwidth.
"""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.errors import UsageError
from spark_tui.mesh.constants import Constants
from spark_tui.mesh.cost import kv_bytes_per_token, layer_params
from spark_tui.shapes import ModelShape

SERVING_SHARE = 0.62
"""`gpu.csv`: the share of the A100's bandwidth that SGLang reaches in decode; taken for compute as well."""
KERNEL_SHARE = 0.78
"""`gpu.csv`: 1.60 of 2.039 TB/s in a 16K matrix-vector product; taken for batched decode under load."""
MEMORY_SHARE = 0.9
"""What a serving stack takes of a GPU's memory for weights and keys (vLLM's default)."""
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


GPUS: dict[str, Gpu] = {
    gpu.name: gpu
    for gpu in (
        Gpu("a100", 2.039e12, 312e12, 80e9, 300e9),
        Gpu("h100", 3.35e12, 989e12, 80e9, 450e9),
        Gpu("h200", 4.8e12, 989e12, 141e9, 450e9),
        Gpu("b200", 8.0e12, 2250e12, 192e9, 900e9),
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
    raise UsageError(f"unknown GPU {name!r}", hint=f"known: {', '.join(GPUS)}")


def bus_of(gpu: Gpu, constants: Constants) -> float:
    """The fitted bandwidth belongs to the published A100 system; other GPUs have their data sheet."""
    return constants.gpu_bus_bytes_per_second if gpu.name == "a100" else gpu.bus_bytes_per_second


def allreduce_seconds(gpus: int, payload_bytes: float, bus_bytes_per_second: float) -> float:
    """A ring over all of them."""
    if gpus <= 1:
        return 0.0
    return 2 * (gpus - 1) * RING_STEP_SECONDS + 2 * (gpus - 1) / gpus * payload_bytes / bus_bytes_per_second


def count_for(shape: ModelShape, gpu: Gpu, bytes_per_weight: float = 2) -> int:
    """How many hold the weights; a power of two, as tensor parallelism has it."""
    count = 1
    while count * MEMORY_SHARE * gpu.memory_bytes < shape.n_params * bytes_per_weight:
        count *= 2
    return count


def read_params(shape: ModelShape) -> int:
    """Weights that one token reads: the layers and the head, not the embedding table."""
    return layer_params(shape) * shape.n_layers + shape.vocab_size * shape.d_model


def decode_seconds(
    shape: ModelShape, gpu: Gpu, gpus: int, context: int, bus: float, bytes_per_weight: float = 2
) -> float:
    """One token of one sequence."""
    moved = read_params(shape) * bytes_per_weight + kv_bytes_per_token(shape) * context
    reading = moved / (gpus * SERVING_SHARE * gpu.memory_bytes_per_second)
    return reading + 2 * shape.n_layers * allreduce_seconds(gpus, shape.d_model * 2, bus)


def prefill_seconds(shape: ModelShape, gpu: Gpu, gpus: int, prompt: int, bus: float) -> float:
    """The whole prompt at once, causal."""
    linear = 2.0 * layer_params(shape) * shape.n_layers * prompt
    attention = 2.0 * shape.n_layers * shape.n_heads * shape.head_dim * prompt * prompt
    head = 2.0 * shape.vocab_size * shape.d_model
    computing = (linear + attention + head) / (gpus * SERVING_SHARE * gpu.dense_fp16_flops)
    return computing + 2 * shape.n_layers * allreduce_seconds(gpus, prompt * shape.d_model * 2.0, bus)


def end_to_end_seconds(shape: ModelShape, gpu: Gpu, gpus: int, prompt: int, output: int, bus: float) -> float:
    middle = prompt + output // 2
    return prefill_seconds(shape, gpu, gpus, prompt, bus) + output * decode_seconds(shape, gpu, gpus, middle, bus)


def served_token_seconds(
    shape: ModelShape, gpu: Gpu, gpus: int, load: Workload, bus: float, bytes_per_weight: float = 2
) -> float:
    """Between two tokens of one user when others are served too. Sequences in flight follow from the load
    (Little's law): each adds its keys to what a pass reads, which makes passes longer, which adds sequences."""
    rate = gpus * KERNEL_SHARE * gpu.memory_bytes_per_second
    held = shape.n_params * bytes_per_weight
    room = max(MEMORY_SHARE * gpus * gpu.memory_bytes - held, 0.0)
    in_flight = load.prompt_tokens + load.output_tokens / 2
    most = max(min(float(load.most_sequences), room / (kv_bytes_per_token(shape) * in_flight)), 1.0)
    weights = read_params(shape) * bytes_per_weight / rate
    keys = kv_bytes_per_token(shape) * in_flight / rate
    seconds = weights
    for _ in range(200):
        flying = max(min(load.requests_per_second * load.output_tokens * seconds, most), 1.0)
        payload = shape.d_model * 2 * flying
        seconds = weights + flying * keys + 2 * shape.n_layers * allreduce_seconds(gpus, payload, bus)
    return seconds


def gemv_seconds(size: int, gpu: Gpu, gpus: int, bus: float) -> float:
    """A stand-alone square fp16 matrix-vector product."""
    reading = size * size * 2 / (gpus * KERNEL_SHARE * gpu.memory_bytes_per_second)
    return reading + allreduce_seconds(gpus, size * 2, bus)

"""A prediction for each kind of published row, from that row's inputs only."""

from __future__ import annotations

import re
from collections.abc import Callable

from spark_tui.errors import MalformedInput, SparkError
from spark_tui.mesh.estimates import cost, gpu, placement
from spark_tui.mesh.facts import model_shapes, wafer
from spark_tui.mesh.facts.fitted_constants import Constants
from spark_tui.mesh.facts.published_tables import Row
from spark_tui.shapes import ModelShape

DECODE_CONTEXT = 4096
"""The published decode rows hold 4K tokens."""
MODELLED_METHODS = ("", "waferllm")


def number(row: Row, key: str, default: int | None = None) -> int:
    text = row.get(key, "").replace(",", "")
    if not text and default is not None:
        return default
    square = re.fullmatch(r"(\d+)\s*(?:[x×]\s*\1|²|\^2)", text)
    try:
        value = int(float(square.group(1) if square else text))
    except (ValueError, OverflowError) as error:
        raise MalformedInput(f"{key} must be a number, not {text!r}") from error
    if value < 1:
        raise MalformedInput(f"{key} must be above zero, not {text!r}")
    return value


def _modelled(row: Row, key: str) -> None:
    if row.get(key, "").lower() not in MODELLED_METHODS:
        raise MalformedInput(f"{row[key]} is another system's software, which is not modelled")


def _device(row: Row) -> wafer.Wafer:
    return wafer.load(row.get("device", "") or "wse2")


def _decode(row: Row, constants: Constants) -> float:
    _modelled(row, "method")
    shape, device, side = model_shapes.find(row["model"]), _device(row), number(row, "mesh_P")
    device.check_grid(side)
    context = number(row, "context", number(row, "context_tokens", DECODE_CONTEXT))
    return device.clock_hz / cost.decode_token_cycles(shape, side, context, device, constants)


def _prefill(row: Row, constants: Constants) -> float:
    _modelled(row, "method")
    shape, device, side = model_shapes.find(row["model"]), _device(row), number(row, "mesh_P")
    device.check_grid(side)
    prompt = number(row, "prompt_tokens")
    return prompt * device.clock_hz / cost.prefill_cycles(shape, side, prompt, device, constants)


def _e2e(row: Row, constants: Constants) -> float:
    shape = model_shapes.find(row["model"])
    prompt, output = number(row, "input_tokens"), number(row, "output_tokens")
    if row.get("num_gpus"):
        part = gpu.find(row.get("system", "") + " " + row.get("device", ""))
        gpus = number(row, "num_gpus")
        return output / gpu.end_to_end_seconds(shape, part, gpus, prompt, output, gpu.bus_of(part, constants))
    _modelled(row, "system")
    device = _device(row)
    before, after = number(row, "prefill_mesh_P"), number(row, "decode_mesh_P")
    return output / end_to_end_seconds(shape, device, prompt, output, before, after, constants)


def end_to_end_seconds(
    shape: ModelShape,
    device: wafer.Wafer,
    prompt: int,
    output: int,
    prefill_side: int,
    decode_side: int,
    constants: Constants,
) -> float:
    """Prefill, the move to the decode layout, and every generated token."""
    device.check_grid(prefill_side)
    device.check_grid(decode_side)
    first = cost.prefill_cycles(shape, prefill_side, prompt, device, constants) / device.clock_hz
    move = cost.replacement_seconds(shape, prompt, decode_side, device)
    return first + move + cost.decode_span_seconds(shape, decode_side, prompt, output, device, constants)


def _gpu(row: Row, constants: Constants) -> float:
    shape, part, gpus = model_shapes.find(row["model"]), gpu.find(row["system"]), number(row, "num_gpus")
    bus = gpu.bus_of(part, constants)
    phase = row["phase"].lower()
    size = re.search(r"(\d+)\s*(k?)", phase)
    tokens = int(size.group(1)) * (1024 if size.group(2) else 1) if size else DECODE_CONTEXT
    if phase.startswith("prefill"):
        return tokens / gpu.prefill_seconds(shape, part, gpus, tokens, bus)
    if phase.startswith("decode"):
        return 1.0 / gpu.decode_seconds(shape, part, gpus, tokens, bus)
    raise MalformedInput(f"the phase {row['phase']!r} is neither prefill nor decode")


def _served(row: Row, constants: Constants) -> float:
    shape, gpus = model_shapes.find_served(row["model"]), number(row, "tp")
    part = gpu.find(row.get("gpu", "") or row.get("device", "") or "h100")
    workload = row["workload"].lower()
    name = next((key for key in gpu.WORKLOADS if key in workload), None)
    if name is None:
        raise MalformedInput(
            f"the load {row['workload']!r} is not described", hint=f"Described: {', '.join(gpu.WORKLOADS)}."
        )
    width = 1.0 if "8" in row.get("precision", "") else 2.0
    bus = gpu.bus_of(part, constants)
    return 1.0 / gpu.served_token_seconds(shape, part, gpus, gpu.WORKLOADS[name], bus, width)


def _batch1(row: Row, constants: Constants) -> float:
    """One sequence alone, timed from its first token to its last."""
    shape, part, gpus = model_shapes.find(row["model"]), gpu.find(row["gpu"]), number(row, "gpus")
    width = 1.0 if "8" in row.get("precision", "") else 2.0
    middle = number(row, "input_tokens") + number(row, "output_tokens") // 2
    return 1.0 / gpu.pass_seconds(shape, part, gpus, 1, middle, gpu.bus_of(part, constants), width)


def _gemv(row: Row, constants: Constants) -> float:
    """The table does not say the mesh: the best of the published ones is taken. Milliseconds on a WSE-2."""
    size = number(row, "gemv_N")
    best = min(cost.gemv_cycles(size, side, wafer.WSE2, constants) for side in range(360, 721, 60))
    return best / wafer.WSE2.clock_hz * 1e3


def _kv_capacity(row: Row, constants: Constants) -> float:
    del constants
    side = number(row, "decode_mesh_P")
    return side * placement.shift_tokens_per_row(model_shapes.find(row["model"]), side, wafer.WSE2)


def _config(row: Row, constants: Constants) -> float:
    """The padded width that the kernels were built with."""
    del constants
    text = row["config"].lower()
    shape = model_shapes.find({"llama8b": "llama3-8b", "qwen72b": "qwen2-72b"}.get(text, text))
    side = number(row, "mesh_P")
    return float(side * cost.tiles(shape, side, DECODE_CONTEXT).model)


def _product(row: Row, constants: Constants) -> float:
    """A vendor's rate: on a WSE-3, the fastest grid of the published ones, at a context of 4K."""
    shape = model_shapes.find(row["model"])
    sides = range(360, 721, 60)
    cycles = min(
        cost.decode_token_cycles(shape, side, DECODE_CONTEXT, wafer.WSE3, constants) for side in sides
    )
    return wafer.WSE3.clock_hz / cycles


def _gpu_fact(row: Row, constants: Constants) -> float:
    """Rates and latencies of a served model are predicted; data sheets and derived shares are inputs."""
    unit = row["unit"].lower()
    if row["row_type"].lower() in ("spec", "derived") or not row.get("model"):
        raise MalformedInput("a fact used by the comparison, not a prediction")
    text = f"{row['gpu_or_system']} {row['model']}".lower()
    part, shape = gpu.find(text), _first_model(row["model"])
    many = re.search(r"(?:tp|x|×)\s*(\d+)|(\d+)\s*(?:x|×)", row["gpu_or_system"].lower())
    gpus = int(next(group for group in many.groups() if group)) if many else 1
    seconds = gpu.decode_seconds(shape, part, gpus, DECODE_CONTEXT, gpu.bus_of(part, constants))
    if "tok" in unit and "/s" in unit:
        return 1.0 / seconds
    if unit.startswith("ms"):
        return 1e3 * seconds
    raise MalformedInput(f"figures in {row['unit']} are not predicted")


def _first_model(text: str) -> ModelShape:
    """The model that a free text begins with: `LLaMA3-8B decode`."""
    words = text.split()
    for count in range(len(words), 0, -1):
        try:
            return model_shapes.find_served(" ".join(words[:count]))
        except SparkError:
            continue
    return model_shapes.find(text)


def _fact(row: Row, constants: Constants) -> float:
    del row, constants
    raise MalformedInput("a fact used by the model, not a prediction")


_PREDICTORS: dict[str, Callable[[Row, Constants], float]] = {
    "decode": _decode,
    "prefill": _prefill,
    "e2e": _e2e,
    "gpu": _gpu,
    "gpu served": _served,
    "gpu batch 1": _batch1,
    "gemv": _gemv,
    "kv capacity": _kv_capacity,
    "configs": _config,
    "products": _product,
    "gpu facts": _gpu_fact,
    "facts": _fact,
    "formulas": _fact,
    "operators": _fact,
    "microbench": _fact,
}


def predict(kind: str, row: Row, constants: Constants) -> float:
    return _PREDICTORS[kind](row, constants)


def try_predict(kind: str, row: Row, constants: Constants) -> tuple[float | None, str]:
    """The figure, or None and why there is none."""
    try:
        return predict(kind, row, constants), ""
    except SparkError as error:
        return None, error.what

"""The published tables: read them, and recognise one by its header.

Comes in: a CSV file. Goes out: a `PublishedTable` of rows as text. Must not know: what a row's prediction is.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from spark_tui.errors import MalformedInput

Row = dict[str, str]

KEYS: dict[str, frozenset[str]] = {
    "decode": frozenset({"model", "device", "mesh_P", "layers"}),
    "prefill": frozenset({"model", "device", "mesh_P", "prompt_tokens"}),
    "e2e": frozenset({"model", "device", "input_tokens", "output_tokens", "prefill_mesh_P", "decode_mesh_P"}),
    "gpu": frozenset({"model", "phase", "system", "num_gpus"}),
    "gpu served": frozenset({"model", "workload", "tp", "precision"}),
    "gpu batch 1": frozenset({"model", "gpu", "gpus", "software", "precision"}),
    "gemv": frozenset({"gemv_N", "a100_gpus"}),
    "kv capacity": frozenset({"model", "decode_mesh_P", "concat_tokens", "shift_tokens"}),
    "configs": frozenset({"config", "mesh_P", "group_num", "dim"}),
    "products": frozenset({"model", "wafers", "spec_decode"}),
    "gpu facts": frozenset({"row_type", "gpu_or_system", "value", "unit"}),
    "facts": frozenset({"device", "parameter", "value"}),
    "formulas": frozenset({"algorithm", "cycles", "terms"}),
    "operators": frozenset({"order", "op", "allreduce_axis"}),
    "microbench": frozenset({"quantity", "silicon", "unit"}),
}
"""The columns that tell a table; more may stand beside them. The first that fits is taken."""

FILES = {
    "decode": "waferllm_decode.csv",
    "prefill": "waferllm_prefill.csv",
    "e2e": "waferllm_e2e.csv",
    "gpu": "waferllm_a100_baseline.csv",
    "gpu served": "gpu_vllm_h100_measured.csv",
    "gpu batch 1": "gpu_batch1.csv",
    "gemv": "waferllm_gemv_energy.csv",
    "kv capacity": "waferllm_kv_capacity.csv",
    "configs": "waferllm_decode_configs.csv",
    "products": "cerebras_speeds.csv",
}
FACTS = {
    "gpu facts": "gpu.csv",
    "facts": "hw_params.csv",
    "formulas": "reduce_formulas.csv",
    "operators": "waferllm_decode_ops.csv",
    "microbench": "wse3_microbench.csv",
}
"""What the model is made of. Their rows are read and named, but mostly there is nothing to predict."""
PUBLISHED = {
    "decode": "tpr_tok_per_s",
    "prefill": "tpr_tok_per_s",
    "e2e": "e2e_tpr_tok_per_s",
    "gpu": "tpr_tok_per_s",
    "gpu served": "tok_per_s_user",
    "gpu batch 1": "tok_per_s",
    "gemv": "wse2_ms",
    "kv capacity": "shift_tokens",
    "configs": "dim",
    "products": "tok_per_s_user",
    "gpu facts": "value",
}
"""The column that a prediction is held against. No predictor reads it."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One file's rows."""

    kind: str
    source: str
    rows: tuple[Row, ...]


def kind_of(header: list[str], source: str) -> str:
    names = {name.strip() for name in header}
    # the prefill table also has what tells a decode table, so the longest match wins
    fitting = [kind for kind, keys in KEYS.items() if keys <= names]
    if not fitting:
        raise MalformedInput(
            f"unknown table: its columns are {', '.join(header) or '(none)'}",
            where=source,
            hint="use the header of one of: " + ", ".join(sorted(FILES.values())),
        )
    if "prefill" in fitting:
        return "prefill"
    return max(fitting, key=lambda kind: len(KEYS[kind]))


def read(path: Path) -> PublishedTable:
    """A person's own file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedInput(f"cannot read the table: {error}", where=str(path)) from error
    return _parse(text, str(path))


def packaged(kind: str) -> PublishedTable:
    """One of the tables that the product carries."""
    text = (
        resources.files("spark_tui.mesh").joinpath("data", (FILES | FACTS)[kind]).read_text(encoding="utf-8")
    )
    return _parse(text, (FILES | FACTS)[kind])


def _parse(text: str, source: str) -> PublishedTable:
    reader = csv.DictReader(io.StringIO(text))
    try:
        kind = kind_of(list(reader.fieldnames or []), source)
        records = list(reader)
    except csv.Error as error:
        raise MalformedInput(f"the table is not valid CSV: {error}", where=source) from error
    rows: list[Row] = []
    for number, record in enumerate(records, start=2):
        if None in record:
            raise MalformedInput("a row has more fields than the header", where=f"{source}:{number}")
        row = {key.strip(): (value or "").strip() for key, value in record.items()}
        if any(row.values()):
            rows.append(row)
    return PublishedTable(kind, source, tuple(rows))

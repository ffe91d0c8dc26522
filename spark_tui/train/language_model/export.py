"""Writes a trained model in the form that the engine reads: safetensors, tokenizer, config, model card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from spark_tui.train.language_model.model import TorchSpark


def tensors(model: TorchSpark) -> dict[str, torch.Tensor]:
    """Names of docs/model-format.md. Matrices become bfloat16; vectors stay float32."""
    return {
        name: weight.detach().contiguous().to(torch.float32 if weight.dim() < 2 else torch.bfloat16)
        for name, weight in model.state_dict().items()
    }


def card(
    name: str, config: Mapping[str, Any], sources: Sequence[Mapping[str, Any]], run: Mapping[str, Any]
) -> str:
    """The model card: what it is, what it was made of."""
    trained = [source for source in sources if not source["held_out"]]
    held = [source for source in sources if source["held_out"]]
    lines = [
        f"# {name}",
        "",
        "A small instruction-to-edit model for Python, trained from nothing for `spark`. It makes the small "
        "edits that it knows,",
        "inside one file of at most 300 lines. It is no programmer: questions and larger work get the answer "
        "*cannot*.",
        "",
        f"- family `spark`, {config['num_hidden_layers']} layers, width {config['hidden_size']}, "
        f"{run.get('parameters', 0) / 1e6:.2f}M parameters, {config['torch_dtype']}",
        f"- trained on {run.get('tokens', 0) / 1e6:.1f}M tokens of synthetic edits in "
        f"{run.get('minutes', 0):.0f} minutes ({run.get('device', 'cpu')}), seed {run.get('seed', 1)}",
        "- weights: Apache-2.0, like the rest of spark",
        "",
        "## Sources",
        "",
        "Installed packages under permissive licences; tests, vendored "
        "and generated code left out. The instructions are made by",
        "templates written for spark; no text of another model or data set was used.",
        "",
        "| package | version | licence | files | bytes |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {s['package']} | {s['version']} | {s['licence']} | {s['files']} | {s['bytes']} |" for s in trained
    ]
    lines += [
        "",
        "Held out, never trained on, used for the test of unseen packages: "
        + ", ".join(f"{s['package']} {s['version']} ({s['licence']})" for s in held)
        + ".",
    ]
    return "\n".join(lines) + "\n"


def export(
    model: TorchSpark,
    tokenizer: Path,
    out: Path,
    *,
    name: str,
    sources: Sequence[Mapping[str, Any]] = (),
    run: Mapping[str, Any] | None = None,
) -> None:
    """Writes the whole folder. The thresholds of the gate are chosen afterwards, with these weights
    (`calibrate`)."""
    out.mkdir(parents=True, exist_ok=True)
    config = model.shape.config()
    config["torch_dtype"] = "bfloat16"
    config["spark"]["trained"] = {
        key: round(run[key], 1) for key in ("tokens", "minutes") if run and key in run
    }
    save_file(tensors(model), out / "model.safetensors", metadata={"format": "pt"})
    (out / "model.safetensors").chmod(0o644)
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    Tokenizer.from_file(str(tokenizer)).save(str(out / "tokenizer.json"), pretty=False)
    facts = {"parameters": sum(p.numel() for p in model.parameters()), **(run or {})}
    (out / "README.md").write_text(card(name, config, sources, facts), "utf-8")

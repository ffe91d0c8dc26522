"""`spark models`: list the available models, describe one, and check it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spark_tui.backends.local.load_progress import progress_bar
from spark_tui.backends.model_catalog import (
    architecture,
    model_summary,
    models_in,
    parameter_count,
    server_models,
)
from spark_tui.cli.wait_line import WaitLine
from spark_tui.config import paths, settings
from spark_tui.errors import ExitCode, NoBackend, SparkError, install_command, without_query

if TYPE_CHECKING:
    from spark_tui.engine import Engine

_SAMPLE = "def area(width: float, height: float) -> float:\n    return width * height\n"
_TOLERANCE = 1e-3
"""Logits of full-size models add up more rounding than the tiny ones of the tests, which are held to 1e-4."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sub = parser.add_subparsers(dest="action", metavar="VERB")
    parser.set_defaults(action="list", directory=None, connect=None, json=False)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="one JSON object on stdout")
    default = (
        "the default: built-in models, those of your folders (`model.folders`) and of DIR, or a server's"
    )
    listing = sub.add_parser("list", parents=[common], help=default)
    listing.add_argument(
        "directory", nargs="?", metavar="DIR", help="a folder with model folders and GGUF files"
    )
    listing.add_argument(
        "--connect", metavar="URL", help="list the models of this server, such as http://host:8000/v1"
    )
    info = sub.add_parser("info", parents=[common], help="describe a model without reading its weights")
    info.add_argument("model", metavar="NAME|DIR|FILE.gguf")
    check = sub.add_parser(
        "check", parents=[common], help="read all weights, run the model and compare it with transformers"
    )
    check.add_argument("model", metavar="NAME|DIR|FILE.gguf")


def run(args: argparse.Namespace) -> int:
    if args.action == "list":
        return _list(args)
    path = find(args.model)
    return _info(path, args.json) if args.action == "info" else _check(path, args.json)


def find(name: str) -> Path:
    """A path as given, or a built-in name."""
    path = Path(name).expanduser()
    if path.exists():
        return path
    carried = paths.models_dir() / name
    if path.parent == Path() and (carried / "config.json").is_file():
        return carried
    raise NoBackend("no such model", where=name, hint="`spark models list` lists the models.")


# list


def _list(args: argparse.Namespace) -> int:
    named = [Path(args.directory).expanduser()] if args.directory else []
    for place in named:
        if not place.is_dir():
            hint = "Name a folder with models, or a server with --connect."
            raise NoBackend("no such folder", where=args.directory, hint=hint)
    known = [Path(folder).expanduser() for folder in settings.load(None).settings.folders]
    places = dict.fromkeys([paths.models_dir(), *known, *named])
    found = list(dict.fromkeys(path for place in places for path in models_in(place)))
    rows = [_row(path) for path in found]
    if args.connect:
        with WaitLine(f"waiting for {without_query(args.connect)}"):
            offers = server_models(settings.load(None).settings, args.connect)
        path = without_query(args.connect)
        rows = [{"name": o.name, "path": path, "summary": o.what, "usable": o.usable} for o in offers]
    if args.json:
        print(json.dumps({"models": rows}))
        return int(ExitCode.DONE)
    if not rows:
        print("No models found. Name a folder: spark models list DIR", file=sys.stderr)
    for row in rows:
        print(f"{row['name']:<28} {row['summary']}")
    return int(ExitCode.DONE)


def _row(path: Path) -> dict[str, Any]:
    what, usable = model_summary(path)
    return {"name": path.name, "path": str(path), "summary": what, "usable": usable}


# info


def _info(path: Path, as_json: bool) -> int:
    facts = describe(path)
    if as_json:
        print(json.dumps(facts))
    else:
        for key, value in facts.items():
            print(f"{key:<16} {value}")
    return int(ExitCode.DONE)


def describe(path: Path) -> dict[str, Any]:
    """The facts that decide what a model can do and what it costs."""
    from spark_tui.engine.checkpoint import load_tokenizer

    arch = architecture(path)
    rope = next((arch.rope_of(layer) for layer in range(arch.n_layers) if arch.rope_of(layer)), None)
    facts: dict[str, Any] = {
        "name": path.name,
        "family": arch.family,
        "weights": arch.shape.n_params,
        "window": arch.window_tokens,
        "layers": arch.n_layers,
        "width": arch.d_model,
        "heads": f"{arch.n_heads} × {arch.head_dim}, {arch.n_kv_heads} for keys",
        "inner": arch.d_ff,
        "vocabulary": arch.vocab_size,
        "positions": f"rope {rope.kind}, theta {rope.theta:g}" if rope else "learned",
        "local_windows": sorted({width for width in arch.windows if width}),
        "kv_bytes_a_token": 2 * 4 * arch.n_layers * arch.n_kv_heads * arch.head_dim,
        "ends": list(arch.eos_ids),
        "bytes_on_disk": _size(path) or "no weights in this folder",
    }
    try:
        tokenizer = load_tokenizer(path)
        facts["tokenizer"] = f"{tokenizer.vocab_size} ids, {len(tokenizer.special_ids)} special"
        facts["chat_template"] = tokenizer.template is not None
    except NoBackend as error:
        facts["tokenizer"] = error.what
    return facts


def _size(path: Path) -> int:
    files = [path] if path.is_file() else [*path.glob("*.safetensors")]
    return sum(file.stat().st_size for file in files)


# check


def _check(path: Path, as_json: bool) -> int:
    checks: list[dict[str, Any]] = []

    def note(name: str, ok: bool | None, fact: str) -> None:
        checks.append({"check": name, "ok": ok, "fact": fact})
        if not as_json:
            print(f"{'·' if ok is None else '✓' if ok else '✗'} {name:<14} {fact}")

    try:
        engine = _load(path, note)
        _run_once(engine, note)
        _compare(path, engine, note)
    except SparkError as error:
        where = f" ({error.where})" if error.where else ""
        note("error", False, f"{error.what}{where}. {error.hint}".rstrip())
    failed = any(check["ok"] is False for check in checks)
    if as_json:
        print(json.dumps({"model": str(path), "ok": not failed, "checks": checks}))
    return int(ExitCode.NOTHING if failed else ExitCode.DONE)


Note = Callable[[str, bool | None, str], None]


def _load(path: Path, note: Note) -> Engine:
    from spark_tui.engine import load

    started = time.perf_counter()
    engine = load(path, progress=progress_bar())
    seconds = time.perf_counter() - started
    fact = (
        f"{parameter_count(engine.shape.n_params)} weights of {engine.arch.family}, every tensor finite, in"
        f" {seconds:.2f} s"
    )
    note("weights", True, fact)
    if engine.tokenizer is None:
        note("tokenizer", None, "none: the model can only be benchmarked")
    else:
        back = engine.tokenizer.decode(engine.tokenizer.encode(_SAMPLE))
        note(
            "tokenizer",
            back == _SAMPLE,
            "text survives encoding and decoding" if back == _SAMPLE else f"decoded to {back!r}",
        )
    return engine


def _run_once(engine: Engine, note: Note) -> None:
    import numpy as np

    ids = sample_ids(engine)
    whole = engine.logits(ids)
    first = next(iter(engine.generate(ids, 1, ends=())))
    agrees = first.id == int(whole[-1].argmax())
    fact = f"{len(ids)} tokens; logits from {whole.min():.3g} to {whole.max():.3g}"
    note("forward pass", bool(np.isfinite(whole).all()) and agrees, fact)


def sample_ids(engine: Engine) -> list[int]:
    """Ids of a short text that the model can take."""
    if engine.tokenizer is not None:
        ids = engine.tokenizer.encode_prompt(_SAMPLE)
    else:
        ids = [(7 * place + 3) % engine.arch.vocab_size for place in range(32)]
    return ids[: engine.arch.window_tokens - 1]


def _compare(path: Path, engine: Engine, note: Note) -> None:
    """Run the same ids through transformers, if it is installed and knows the family."""
    import numpy as np

    if engine.arch.family == "spark" or path.is_file():
        note("transformers", None, "does not support this kind of model")
        return
    try:
        import torch
        import transformers
    except ImportError:
        note("transformers", None, f"not installed; to compare: {install_command('bench')}")
        return
    ids = sample_ids(engine)
    model: Any = transformers.AutoModelForCausalLM.from_pretrained(
        path, dtype=torch.float32, trust_remote_code=False
    )
    with torch.no_grad():
        theirs = model.eval()(torch.tensor([ids])).logits[0].numpy()
    ours = engine.logits(ids)
    worst = float(np.abs(ours - theirs).max())
    same = float((ours.argmax(-1) == theirs.argmax(-1)).mean())
    bound = _TOLERANCE * max(1.0, float(np.abs(theirs).max()))
    note(
        "transformers",
        worst <= bound,
        f"logits differ by at most {worst:.1e}, same choice in {same:.0%} of rows",
    )

"""`spark generate`: plain text from a local model; edits no file."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from threading import Event as StopFlag

from spark_tui.backends.base import Backend, Request
from spark_tui.backends.factory import built_in_models, create_local
from spark_tui.cli import flags
from spark_tui.errors import ExitCode, NoBackend, UsageError
from spark_tui.events import PrefillProgress, Token, to_dict
from spark_tui.session.stop_signals import sets, stopped_by


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("prompt", nargs="?", help="the text to continue; `-` or nothing reads stdin")
    add("--model", dest="model.name", metavar="NAME|DIR|FILE.gguf", help="default: the built-in model")
    add("--max-tokens", type=flags.whole_number(1), default=256, metavar="N", help="default: 256")
    add(
        "--temperature",
        type=float,
        default=0.0,
        metavar="T",
        help="0 (default): always take the most likely token",
    )
    add(
        "--seed",
        type=flags.whole_number(),
        default=0,
        metavar="N",
        help="seed of the sampler; the same seed gives the same text",
    )
    add("--stop", action="append", default=[], metavar="TEXT", help="stop before this text (repeatable)")
    add("--json", action="store_true", help="print one JSON event per line")
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.temperature < math.inf:
        raise UsageError(f"--temperature cannot be {args.temperature}", hint="Give a number from 0 on.")
    prompt = sys.stdin.read() if args.prompt in (None, "-") else args.prompt
    if not prompt:
        raise UsageError("the prompt is empty", hint='For example: spark generate "def area("')
    settings = flags.load(args, flags.directory(args)).settings
    model = settings.model or next(iter(built_in_models()), "")
    if not model:
        raise NoBackend(
            "this installation has no built-in model", hint="Name one: spark generate --model DIR …"
        )
    backend = create_local(model, settings)
    request = Request(
        "",
        kind="raw",
        prefix=prompt,
        max_tokens=args.max_tokens,
        temperature=args.temperature,
        seed=args.seed,
        stop_texts=tuple(args.stop),
    )
    try:
        stop = StopFlag()
        with stopped_by(sets(stop)):
            return _write(backend, request, stop, args.json)
    finally:
        backend.close()


def _write(backend: Backend, request: Request, stop: StopFlag, as_json: bool) -> int:
    begun = time.perf_counter()
    first, count, read = 0.0, 0, 0
    for event in backend.stream(request, stop):
        if isinstance(event, PrefillProgress):
            read = event.total
        if isinstance(event, Token):
            first = first or time.perf_counter() - begun
            count += 1
        if as_json:
            print(json.dumps(to_dict(event)), flush=True)
        elif isinstance(event, Token):
            sys.stdout.write(event.text)
            sys.stdout.flush()
    seconds = time.perf_counter() - begun - first
    if not as_json:
        sys.stdout.write("\n")
        rate = f", {(count - 1) / seconds:,.0f} tokens a second" if count > 1 and seconds > 0 else ""
        print(
            f"{read} tokens read, first token after {first * 1000:.0f} ms, {count} written{rate}",
            file=sys.stderr,
        )
    return int(ExitCode.INTERRUPTED if stop.is_set() else ExitCode.DONE)

"""`spark serve`: a model behind the Responses API, over a persistent connection or plain HTTP.

Only `run` imports the web framework, so `--help` works without the extra.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from spark_tui.backends.base import Backend, Request
from spark_tui.cli import flags
from spark_tui.config.extras import check_installed
from spark_tui.config.settings import Settings
from spark_tui.config.settings import load as settings_of
from spark_tui.errors import ConfigError, NoPlace, Refused, UsageError
from spark_tui.serve.limits import ServerLimits

_BOUNDS = {
    "active": "turns that run at the same time",
    "queued": "turns that may wait; further ones get 429",
    "connections": "open connections",
    "output_tokens": "tokens that one turn may generate",
    "prompt_tokens": "tokens of a prompt; 0: the model's window",
    "message_bytes": "size of a message or body",
    "store_bytes": "memory for stored responses",
    "known_bytes": "memory for files that open connections have sent",
    "realtime_per_minute": "turns per minute and key; 0: no limit",
    "background_per_minute": "the same for background turns",
    "drain_seconds": "seconds that running turns get to finish when the server is stopped",
}
_AT_LEAST_ONE = ("active", "connections", "output_tokens", "message_bytes")
"""With none of these no turn would ever begin."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on; needs a token unless it is local")
    add(
        "--port",
        type=flags.whole_number(0, 65535),
        default=8000,
        help="port; 0 picks a free one (default: %(default)s)",
    )
    add(
        "--token-file",
        metavar="FILE",
        help="file with the accepted client tokens, one per line; or SPARK_SERVE_TOKEN",
    )
    add("--origin", action="append", default=[], metavar="ORIGIN", help="allow web pages of this origin")
    add("--alias", action="append", default=[], metavar="NAME", help="also answer to this model name")
    add(
        "--canary",
        type=_share,
        metavar="MODEL=N%",
        help="answer this share of the sessions with another model, until it does worse (docs/promote.md)",
    )
    add("--certificate", default="", metavar="FILE", help="TLS certificate (PEM)")
    add("--private-key", default="", metavar="FILE", help="its key (PEM)")
    group = parser.add_argument_group("limits")
    for name, text in _BOUNDS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            type=flags.whole_number(1 if name in _AT_LEAST_ONE else 0),
            default=getattr(ServerLimits(), name),
            metavar="N",
            help=f"{text} (default: %(default)s)",
        )
    flags.add_place(parser)
    flags.add_backend(parser)


def _share(text: str) -> tuple[str, float]:
    model, sign, number = text.rpartition("=")
    try:
        share = float(number.removesuffix("%")) / 100
    except ValueError:
        share = 0.0
    if not model or not sign or not number.endswith("%") or not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share of a model such as MODEL=5%")
    return model, share


def run(args: argparse.Namespace) -> int:
    limits = ServerLimits(**{name: getattr(args, name) for name in _BOUNDS})
    tokens = read_tokens(args.token_file)
    if args.private_key and not args.certificate:
        raise UsageError(
            "a private key without its certificate serves no TLS", hint="Name it with --certificate."
        )
    from spark_tui.serve.access import Access, is_loopback

    if not is_loopback(args.host) and not tokens:
        raise Refused(
            f"{args.host} is reachable from other machines, and no token is set",
            hint="Name a file with a token with --token-file, or set SPARK_SERVE_TOKEN.",
        )
    check_installed("serve")
    from spark_tui.serve.app import make_app
    from spark_tui.serve.server import freeze_garbage_collector, listen, make_server

    try:
        sock = listen(args.host, args.port)
    except OSError as error:
        raise NoPlace(
            f"cannot listen: {error.strerror}",
            where=f"{args.host}:{args.port}",
            hint=(
                "Name an address of this machine with --host, or another port with --port (0 picks a free"
                " one)."
            ),
        ) from error
    backend = _backend(flags.load(args, flags.directory(args)).settings)
    backends = {(name := model_name(backend.name)): backend}
    try:
        if args.canary:
            backends |= _canary(backend, args)
        access = Access(args.host, tokens, args.origin)
        aliases = dict.fromkeys([*args.alias, *other_names(backend)], name)
        share = args.canary[1] if args.canary else 0.0
        app = make_app(backends, aliases=aliases, limits=limits, access=access, canary_share=share)
        try:
            server = make_server(app, limits, certificate=args.certificate, private_key=args.private_key)
        except OSError as error:  # what a PEM file holds is an OSError, too
            raise ConfigError(
                f"the certificate cannot be used: {error.strerror or error}",
                where=args.certificate,
                hint="--certificate and --private-key must be PEM files of the same key pair.",
            ) from error
        scheme = "https" if args.certificate else "http"
        host = f"[{args.host}]" if ":" in args.host else args.host
        print(f"spark: {name} at {scheme}://{host}:{sock.getsockname()[1]}/v1", file=sys.stderr, flush=True)
        if args.canary:
            shown = f"{100 * share:g} % of the sessions to {list(backends)[1]}"
            print(f"spark: {shown}", file=sys.stderr, flush=True)
        if tokens:
            print("spark: clients need a token", file=sys.stderr, flush=True)
        freeze_garbage_collector()
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
            signal.signal(signal.SIGHUP, server.handle_exit)
        server.run(sockets=[sock])
    finally:
        for item in backends.values():
            item.close()
        sock.close()
    return 0


def _canary(stable: Backend, args: argparse.Namespace) -> dict[str, Backend]:
    """The candidate under its name. Clients are told the stable model's edit format and window once, so
    the candidate must have the same."""
    from spark_tui.evals.candidates import parse_candidate

    candidate = parse_candidate(args.canary[0])
    if candidate.commit:
        raise UsageError("a commit cannot be served next to another", hint="Name a model or a setting.")
    environment = {**os.environ, **candidate.environment}
    backend = _backend(settings_of(flags.directory(args), environ=environment).settings)
    ours, theirs = ((item.format_for(Request("")), item.window) for item in (backend, stable))
    if ours != theirs:
        backend.close()
        raise UsageError(
            f"{args.canary[0]} has edit format and window {ours}, and clients were told {theirs}",
            hint="Both must be the same in a canary. Serve this model on a port of its own.",
        )
    name = model_name(backend.name)
    return {name if name != model_name(stable.name) else f"{name}-canary": backend}


def _backend(settings: Settings) -> Backend:
    """The backend of the settings, at their pace; all turns share one local model."""
    from spark_tui.backends.factory import create_backend
    from spark_tui.backends.paced import paced

    backend = create_backend(settings)
    if not settings.replay:
        from spark_tui.backends.local.backend import LocalBackend
        from spark_tui.serve.batching.batch_engine import BatchEngine

        backend = BatchEngine(backend) if isinstance(backend, LocalBackend) else backend
    return paced(backend, settings.pace)


def model_name(name: str) -> str:
    """A backend's name as a model id: no spaces, no slashes."""
    return "-".join(name.replace("/", " ").split()) or "spark"


def other_names(backend: Backend) -> list[str]:
    """What a model is called besides its name: without its pace, and as its own server calls it."""
    from spark_tui.backends.paced import PacedBackend
    from spark_tui.backends.remote.backend import RemoteBackend

    inner = backend.inner if isinstance(backend, PacedBackend) else backend
    far = [inner.model] if isinstance(inner, RemoteBackend) else []
    return [name for name in (model_name(inner.name), *far) if name not in ("", model_name(backend.name))]


def read_tokens(path: str | None) -> tuple[str, ...]:
    """Tokens of the file and of the environment. Short ones are refused: they can be guessed."""
    found = [os.environ["SPARK_SERVE_TOKEN"]] if os.environ.get("SPARK_SERVE_TOKEN") else []
    if path:
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "not UTF-8"
            hint = "Use a readable text file with one token per line."
            raise ConfigError(f"the tokens cannot be read: {why}", where=path, hint=hint) from error
        found += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        if not found:
            raise ConfigError(
                "the file holds no token",
                where=path,
                hint="Write one token per line, each at least 16 ASCII characters.",
            )
    for token in found:
        if len(token) < 16 or not token.isascii():
            raise ConfigError(
                "a token must be at least 16 ASCII characters",
                where=path or "SPARK_SERVE_TOKEN",
                hint='For example: python -c "import secrets; print(secrets.token_urlsafe(32))"',
            )
    return tuple(found)

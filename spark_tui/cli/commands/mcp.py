"""`spark mcp`: exact edits as tools of other programs, on stdin and stdout or over HTTP."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.cli import flags
from spark_tui.config.extras import check_installed
from spark_tui.errors import ConfigError, ExitCode, UsageError
from spark_tui.session.session_opener import root_of

if TYPE_CHECKING:
    from spark_tui.mcp.tools import Tools

_TOKEN = "SPARK_MCP_TOKEN"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--write", action="store_true", help="let `patch_apply` write files")
    add("--http", action="store_true", help="serve HTTP on this machine instead of stdio")
    add("--host", help="with --http: a local address (default: 127.0.0.1)")
    add(
        "--port",
        type=flags.whole_number(0, 65535),
        help="with --http: the port; 0 picks a free one (default: 8100)",
    )
    add(
        "--token-file",
        metavar="FILE",
        help=f"with --http: file with the token of clients, or {_TOKEN} (default: a new one is printed)",
    )
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    unused = [flag for flag in ("host", "port", "token_file") if getattr(args, flag) is not None]
    if unused and not args.http:
        raise UsageError(f"--{unused[0].replace('_', '-')} needs --http", hint="Add --http.")
    check_installed("mcp")
    from spark_tui.mcp.tools import Tools

    tools = Tools(root_of(flags.directory(args)), write=args.write)
    if args.http:
        return _serve_http(args, tools)
    from spark_tui.mcp.stdio import run_stdio

    run_stdio(tools)
    return int(ExitCode.DONE)


def _serve_http(args: argparse.Namespace, tools: Tools) -> int:
    from spark_tui.mcp import http
    from spark_tui.mcp.server import make_server

    token = _token(args.token_file)
    host = "127.0.0.1" if args.host is None else args.host
    sock = http.listen(host, 8100 if args.port is None else args.port)
    with sock:
        host = f"[{host}]" if ":" in host else host
        print(f"spark: http://{host}:{sock.getsockname()[1]}{http.PATH}", file=sys.stderr, flush=True)
        if not token:
            token = secrets.token_urlsafe(32)
            print(f"spark: token {token}", file=sys.stderr, flush=True)
        code = http.run(http.make_app(make_server(tools), token), sock)
        tools.finish_writing()
    return code


def _token(path: str | None) -> str:
    if path is None:
        return os.environ.get(_TOKEN, "").strip()
    token = Path(path).read_text("utf-8", errors="replace").strip()
    if not token or len(token.split()) != 1 or not token.isascii():  # as a header holds it
        raise ConfigError("the file must have one token, in ASCII", where=path)
    return token

"""`spark connect`: list the servers that spark knows by name, test one, and save it as the default."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, replace

from spark_tui.backends.factory import create_remote, server_of
from spark_tui.backends.remote import api_keys, presets
from spark_tui.backends.remote.server_test import ServerTest, run_test
from spark_tui.backends.remote.transport import parse_address
from spark_tui.bars import columns
from spark_tui.cli import flags
from spark_tui.cli.wait_line import WaitLine
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import UsageError, visible, without_query
from spark_tui.session import settings_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME|URL", help="a known server or an address (default: list the known)")
    add("--test", action="store_true", help="ask its model a question and for a tool call")
    add("--save", action="store_true", help="use it from now on (`model.connect`)")
    add("--model", metavar="NAME", help="which of its models (default: its first)")
    add("--api", metavar="API", help="its API, as of `spark --api` (default: detect it)")
    add("--json", action="store_true", help="one JSON object on stdout")
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    loaded = flags.load(args, None).settings
    if not args.name:
        if args.test or args.save:
            raise UsageError("name a server", hint="`spark connect` lists the known ones.")
        return _list(loaded, args.json)
    chosen = replace(loaded, connect=args.name, model=args.model or "", api=args.api or "auto")
    address, _ = server_of(chosen)
    if "://" not in address and "." not in address and ":" not in address:
        known = ", ".join(preset.name for preset in presets.all_presets())
        raise UsageError(f"unknown server {without_query(args.name)!r}", hint=f"Known: {known}; or a URL.")
    host = parse_address(address).host
    shown = without_query(address)
    tested = _tested(chosen) if args.test else None
    saves = bool(args.save) and (tested is None or tested.answers)
    if saves:
        _save(args, chosen)
    if args.json:
        facts = {"name": without_query(args.name), "address": shown, "key": _where_key(host)}
        print(json.dumps({**facts, "test": asdict(tested) if tested else None, "saved": saves}))
    else:
        _tell(args, shown, host, tested)
    return tested.exit_code if tested else 0


def _list(settings: Settings, as_json: bool) -> int:
    rows = [_row(one.name, one.address, one.host, one.api, one.note) for one in presets.all_presets()]
    for name, address in settings.servers.items():
        rows.append(_row(name, address, parse_address(address).host, "auto", "yours"))
    if as_json:
        print(json.dumps(rows))
        return 0
    keys = [f"key {row['found']}" if row["key"] else row["note"] for row in rows]
    cells = [[row["name"], row["address"], row["api"], key] for row, key in zip(rows, keys, strict=True)]
    print("\n".join(columns(cells)))
    print("\nTo use one: spark --connect NAME. To test and keep it: spark connect NAME --test --save.")
    return 0


def _row(name: str, address: str, host: str, api: str, note: str) -> dict[str, str]:
    """A known server. `key`: the variable that may hold its key; `found`: where it is, never what."""
    preset = presets.of_host(host)
    row = {"name": name, "address": without_query(address), "api": api, "key": preset.key if preset else ""}
    return {**row, "found": _where_key(host), "note": note}


def _where_key(host: str) -> str:
    """Where the key for a host is; never the key."""
    if variable := api_keys.found_in(host):
        return f"in {variable}"
    if api_keys.from_keyring(host):
        return "in the keyring"
    return f"absent ({api_keys.variables(host)[-1]})"


def _tested(settings: Settings) -> ServerTest:
    backend = create_remote(settings)
    try:
        with WaitLine(f"waiting for {backend.name}"):
            return run_test(backend)
    finally:
        backend.close()


def _save(args: argparse.Namespace, settings: Settings) -> None:
    path = paths.user_config_file()
    settings_file.put(path, "model.connect", settings.connect)
    # What was saved for another server does not belong to this one.
    for key, value in (("model.api", args.api), ("model.name", args.model)):
        if value:
            settings_file.put(path, key, value)
        else:
            settings_file.drop(path, key)


def _tell(args: argparse.Namespace, address: str, host: str, tested: ServerTest | None) -> None:
    print(f"{address}, key {_where_key(host)}")
    if tested is not None:
        print(visible(tested.sentence()))
    if args.save:
        place = paths.with_tilde(paths.user_config_file())
        print(f"saved in {place}" if tested is None or tested.answers else "not saved: the test failed")

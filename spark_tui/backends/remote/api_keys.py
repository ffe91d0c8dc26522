"""API keys, from the environment or the system's keyring, each for the host that it belongs to.

A key is never read from a repository, never written and never logged; an issuer's variable is read for that
issuer's host only.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping

from spark_tui.backends.remote import presets

OWN_VARIABLE = "SPARK_API_KEY"
Ask = Callable[[str, str], str | None]


def find_key(host: str, environ: Mapping[str, str] | None = None, ask: Ask | None = None) -> str:
    """`SPARK_API_KEY`, the issuer's own variable, or the keyring's entry `spark` for this host."""
    environ = os.environ if environ is None else environ
    name = found_in(host, environ)
    return environ[name].strip() if name else ((ask or _keyring)("spark", host) or "").strip()


def found_in(host: str, environ: Mapping[str, str] | None = None) -> str:
    """The variable that holds the key for this host; empty where none does."""
    environ = os.environ if environ is None else environ
    return next((name for name in variables(host) if environ.get(name, "").strip()), "")


def variables(host: str) -> tuple[str, ...]:
    """The variables that may hold the key for this host."""
    preset = presets.of_host(host)
    return (OWN_VARIABLE, preset.key) if preset else (OWN_VARIABLE,)


def in_keyring(host: str, ask: Ask | None = None) -> bool:
    return bool(((ask or _keyring)("spark", host) or "").strip())


def key_hint(host: str) -> str:
    """What to do about a missing or wrong key."""
    return f"Set {' or '.join(variables(host))}, or store the key: keyring set spark {host}"


def _keyring(service: str, host: str) -> str | None:
    """The keyring is optional, and a machine without a desktop has none: neither is an error."""
    try:
        found = importlib.import_module("keyring").get_password(service, host)
    except Exception:
        return None
    return found if isinstance(found, str) else None

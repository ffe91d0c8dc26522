"""API keys, from the environment or the system's keyring, each for the host that it belongs to.

A key is never read from a repository, never written and never logged; an issuer's variable is read for that
issuer's host only.
"""

from __future__ import annotations

import importlib
import os

from spark_tui.backends.remote import presets
from spark_tui.errors import ConfigError

OWN_VARIABLE = "SPARK_API_KEY"


def find_key(host: str) -> str:
    """`SPARK_API_KEY`, the issuer's own variable, or the keyring's entry `spark` for this host."""
    name = found_in(host)
    key = os.environ[name].strip() if name else from_keyring(host)
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            "the key has characters that cannot be sent: a line break, or other than ASCII",
            where=name or f"keyring, spark {host}",
            hint="Was more than the key copied?",
        )
    return key


def found_in(host: str) -> str:
    """The variable that holds the key for this host; empty where none does."""
    return next((name for name in variables(host) if os.environ.get(name, "").strip()), "")


def variables(host: str) -> tuple[str, ...]:
    """The variables that may hold the key for this host."""
    preset = presets.of_host(host)
    return (OWN_VARIABLE, preset.key) if preset else (OWN_VARIABLE,)


def key_hint(host: str, *, sent: bool = False) -> str:
    """What to do about a key that is missing, or that was `sent` and not accepted."""
    if sent and (name := found_in(host)):
        return f"Is the key in {name} the one for this server and model?"
    return f"Set {' or '.join(variables(host))}, or store the key: keyring set spark {host}"


def from_keyring(host: str) -> str:
    """The keyring is optional, and a machine without a desktop has none: neither is an error."""
    try:
        found = importlib.import_module("keyring").get_password("spark", host)
    except Exception:
        return ""
    return found.strip() if isinstance(found, str) else ""

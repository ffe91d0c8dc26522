"""Keys of servers: from the environment or the system's keyring, each for the host it belongs to.

Comes in: a host, the environment. Goes out: a key or an empty text. Must not know: files. A key is never read
from a repository, never written, never logged; a well-known variable is only read for the host that issued
it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping

OWN_VARIABLE = "SPARK_API_KEY"
_ISSUERS = {
    "api.openai.com": "OPENAI_API_KEY",
    "api.cerebras.ai": "CEREBRAS_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
}
Ask = Callable[[str, str], str | None]


def find_key(host: str, environ: Mapping[str, str] | None = None, ask: Ask | None = None) -> str:
    """`SPARK_API_KEY`, the issuer's own variable, or the keyring's entry `spark` for this host."""
    environ = os.environ if environ is None else environ
    for name in (OWN_VARIABLE, _ISSUERS.get(host.lower(), "")):
        if name and environ.get(name, "").strip():
            return environ[name].strip()
    return ((ask or _keyring)("spark", host) or "").strip()


def key_hint(host: str) -> str:
    """What to do about a missing or wrong key."""
    issuer = _ISSUERS.get(host.lower())
    names = f"{OWN_VARIABLE} or {issuer}" if issuer else OWN_VARIABLE
    return f"Set {names}, or store the key: keyring set spark {host}"


def _keyring(service: str, host: str) -> str | None:
    """The keyring is optional, and a machine without a desktop has none: neither is an error."""
    try:
        found = importlib.import_module("keyring").get_password(service, host)
    except Exception:
        return None
    return found if isinstance(found, str) else None

"""Runs the code of strangers so that it can write to one scratch folder only and reaches no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
_PROBE_SECONDS = 20

_NAMESPACES = ("--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc")
_READ_ONLY = r"""
scratch=$1; shift
mount --bind "$scratch" "$scratch" || exit 1
cut -d' ' -f5 /proc/self/mountinfo | while read -r encoded; do
    at=$(printf '%b' "$encoded")
    [ "$at" = "$scratch" ] || mount -o remount,bind,ro "$at"
done 2>/dev/null
setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
exit $?
"""
"""Every mount but the scratch folder becomes read-only; without capabilities nothing mounts it back."""

_PROBE = """
import os, socket, sys
def writes(folder):
    try:
        os.rmdir(os.mkdir(os.path.join(folder, "spark-probe")) or os.path.join(folder, "spark-probe"))
    except OSError:
        return False
    return True
with open(os.devnull, "wb") as sink:
    sink.write(b"x")
inside, *outside = sys.argv[1:]
sys.exit(not writes(inside) or any(map(writes, outside)) or len(socket.if_nameindex()) > 1)
"""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a command of strangers is run. Without a prefix only its home and temporary folder are apart."""

    scratch: Path
    prefix: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        if self.prefix:
            return "Changed packages ran without network and could write to a scratch folder only."
        return (
            "Changed packages ran with the rights of this user: this system has no namespaces, or no"
            " `unshare` and `setpriv`."
        )

    @property
    def byte_code(self) -> Path:
        return self.scratch / "byte-code"

    def command(self, words: Sequence[str]) -> list[str]:
        return [*self.prefix, *words]

    def environment(self, **more: str) -> dict[str, str]:
        """What a command is given of ours: neither credentials nor settings."""
        kept = {key: os.environ[key] for key in _KEPT if key in os.environ}
        own = {"HOME": str(self.scratch), "TMPDIR": str(self.scratch)}
        return {**kept, **own, "PYTHONPYCACHEPREFIX": str(self.byte_code), **more}

    def forget_byte_code(self, path: Path) -> None:
        """Drop the byte code of a file: within a second it would pass for that of the new text."""
        for item in (self.byte_code / path.parent.relative_to(path.anchor)).glob(f"{path.stem}.*.pyc"):
            item.unlink()


@contextmanager
def sandbox() -> Iterator[Sandbox]:
    """A sandbox with a scratch folder that goes when the block ends; plain where the system has no other."""
    with tempfile.TemporaryDirectory(prefix="spark-sandbox-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder).resolve()
        found = Sandbox(scratch, _prefix(scratch))
        yield found if found.prefix and _holds(found) else Sandbox(scratch)


def _prefix(scratch: Path) -> tuple[str, ...]:
    tools = [shutil.which(item) for item in ("unshare", "setpriv", "mount")]
    if not sys.platform.startswith("linux") or None in tools:
        return ()
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    return ("unshare", *user, *_NAMESPACES, "--", "sh", "-c", _READ_ONLY, "sandbox", str(scratch))


def _holds(found: Sandbox) -> bool:
    """Whether a command inside can write to its scratch folder, nowhere else, and has no network."""
    outside = ["/dev", "/tmp", str(Path.home()), str(Path(__file__).parent), sys.prefix]
    command = found.command([sys.executable, "-c", _PROBE, str(found.scratch), *outside])
    try:
        done = subprocess.run(
            command, env=found.environment(), capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

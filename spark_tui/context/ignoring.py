"""What is never shown unless it is named: `.sparkignore`, files that hold secrets, globs over paths.

Comes in: patterns and relative paths. Goes out: yes or no. Must not know: the disk, git (whose ignored files are not
listed in the first place).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

_SECRET = re.compile(
    r"(?:^|/)(?:"
    r"\.env(?:\..+)?|[^/]*\.env|\.envrc|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.dockercfg"
    r"|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.[^/]*)?"
    r"|(?:[^/]*[._-])?(?:secrets?|credentials?|passwords?|tokens?)(?:\.(?:json|ya?ml|toml|ini|txt|env|cfg|conf|properties))"
    r"|(?:secrets?|credentials?|service[_-]account)|\.aws/(?:credentials|config)|\.kube/config|\.docker/config\.json"
    r"|\.ssh/[^/]+|terraform\.tfstate[^/]*|[^/]*\.tfvars"
    r")$",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"(?:^|/)[^/]*\.env\.(?:example|sample|template|dist)$|\.pub$", re.IGNORECASE)


def is_secret(path: str) -> bool:
    """Whether a file of this name usually holds keys or passwords."""
    return bool(_SECRET.search(path)) and not _HARMLESS.search(path)


def matches(pattern: str, path: str) -> bool:
    """A glob over a whole relative path: `*` stays within a folder, `**` does not. Without a slash it may match in any
    folder."""
    return bool(_compiled(pattern if "/" in pattern else f"**/{pattern}").fullmatch(path))


def ignorer(lines: Iterable[str]) -> Callable[[str], bool]:
    """The rules of one `.sparkignore`, as git reads its own: later lines win, `!` takes back, a trailing `/` means a
    folder, a leading or inner `/` ties the rule to the root."""
    rules: list[tuple[bool, re.Pattern[str]]] = []
    for line in lines:
        text = line.rstrip("\r\n ")
        if not text or text.startswith("#"):
            continue
        keep = text.startswith("!")
        text = text[1:] if keep else text.removeprefix("\\")
        folder = text.endswith("/")
        text = text.rstrip("/")
        tied = "/" in text
        body = _translated(text.lstrip("/") if tied else f"**/{text}")
        rules.append((keep, re.compile(body + (r"/.*" if folder else r"(?:/.*)?"))))

    def ignored(path: str) -> bool:
        verdict = False
        for keep, rule in rules:
            if rule.fullmatch(path):
                verdict = not keep
        return verdict

    return ignored


def allowed(paths: Sequence[str], ignored: Callable[[str], bool]) -> list[str]:
    """What may be shown without being named."""
    return [path for path in paths if not is_secret(path) and not ignored(path)]


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_translated(pattern))


def _translated(pattern: str) -> str:
    out = ""
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + r"(?:.*/)?", at + 3
        elif pattern.startswith("**", at):
            out, at = out + r".*", at + 2
        elif pattern[at] == "*":
            out, at = out + r"[^/]*", at + 1
        elif pattern[at] == "?":
            out, at = out + r"[^/]", at + 1
        elif pattern[at] == "[" and (end := pattern.find("]", at + 2)) > 0:
            body = pattern[at + 1 : end].replace("\\", "\\\\")
            body = "^" + body[1:] if body.startswith("!") else body
            out, at = out + f"[{body}]", end + 1
        else:
            out, at = out + re.escape(pattern[at]), at + 1
    return out

"""What is never shown unless it is named: `.sparkignore`, files that hold secrets, globs over paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from spark_tui.errors import SparkError

NAME = ".sparkignore"
ReadLines = Callable[[str], Sequence[str] | None]

_ENDS = r"(?:json|ya?ml|toml|ini|txt|env|cfg|conf|properties|csv|xml)"
_SECRET = re.compile(
    r"(?:^|/)(?:"
    r"\.env(?:\..+)?|[^/]*\.env|\.envrc(?:\..+)?|[._]netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc"
    r"|\.git-credentials"
    r"|\.?htpasswd|\.docker(?:cfg|configjson)|\.s3cfg|\.boto|\.vault[._-](?:token|pass(?:word)?)"
    r"|[^/]*\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|ovpn|secrets?)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.[^/]*)?|ssh_host_[^/]*_key"
    rf"|(?:[^/]*[._-])?(?:secrets?|credentials?|passwords?|tokens?|(?:api|private)[_-]?keys?)\.{_ENDS}"
    r"|(?:secrets?|credentials?|service[_-]?account)(?:\.json)?|auth\.(?:json|toml)|cookies\.txt"
    r"|[^/]*(?:service[_-]?account|firebase-adminsdk)[^/]*\.json|(?:[^/]*\.)?kubeconfig"
    r"|\.aws/(?:credentials|config)|\.kube/config|\.docker/config\.json|\.ssh/[^/]+"
    r"|terraform\.tfstate[^/]*|[^/]*\.tfvars"
    r")$",
    re.IGNORECASE,
)
_COPY = re.compile(r"(?:~|\.(?:bak|backup|old|orig|save|sw[op]|tmp|\d+)| copy(?: \d+)?)+$", re.IGNORECASE)
"""Suffixes that editors and people append to the name of a backup copy."""
_HARMLESS = re.compile(r"(?:^|/)[^/]*\.env\.(?:example|sample|template|dist)$|\.pub$", re.IGNORECASE)


@lru_cache(maxsize=1 << 17)
def is_secret(path: str) -> bool:
    """Whether a file of this name usually holds keys or passwords, or is a copy of one that does."""
    name = _COPY.sub("", path)
    return bool(_SECRET.search(path) or _SECRET.search(name)) and not _HARMLESS.search(name)


def matches(pattern: str, path: str) -> bool:
    """A glob over a whole relative path: `*` stays within a folder, `**` does not. Without a slash it may
    match in any folder."""
    return bool(_compiled(pattern if "/" in pattern else f"**/{pattern}").fullmatch(path))


def ignore_rules_of(read_lines: ReadLines, listed: Iterable[str] | None = None) -> Callable[[str], bool]:
    """What the `.sparkignore` files of a tree say of a path, as git reads its own: later lines win, those of
    a folder further in win over the others, `!` takes back but not out of a folder that is ignored, a
    trailing `/` means a folder, a leading or inner `/` ties a rule to the folder of its file. `listed`: the
    tree's files, where they are known; only the folders that have such a file are looked into then, and the
    root."""
    known = None
    if listed is not None:
        named = (path for path in listed if path.endswith(NAME))  # few of many
        known = {"", *(path.rpartition("/")[0] for path in named if f"/{path}".endswith(f"/{NAME}"))}

    @cache
    def rules_of(folder: str) -> tuple[_Rule, ...]:
        if known is not None and folder not in known:
            return ()
        try:
            lines = read_lines(f"{folder}/{NAME}" if folder else NAME) or ()
        except SparkError:
            lines = ()
        return tuple(rule for rule in map(_rule, lines) if rule is not None)

    if known is not None and not any(map(rules_of, known)):
        return lambda _: False

    @cache
    def folder_ignored(folder: str) -> bool:
        return bool(folder) and hidden(folder, is_folder=True)

    def hidden(path: str, *, is_folder: bool) -> bool:
        above = path.rpartition("/")[0]
        if folder_ignored(above):
            return True
        folder = above
        while True:
            inner = path[len(folder) + 1 :] if folder else path
            for rule in reversed(rules_of(folder)):
                if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(inner):
                    return not rule.keep
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    return lambda path: hidden(path, is_folder=False)


def is_allowed(paths: Sequence[str], ignored: Callable[[str], bool]) -> list[str]:
    """What may be shown without being named."""
    return [path for path in paths if not is_secret(path) and not ignored(path)]


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    keep: bool
    folders_only: bool


def _rule(line: str) -> _Rule | None:
    text = line.removesuffix("\r")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#"):
        return None
    keep = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    if not text:
        return None
    pattern = text.removeprefix("/") if "/" in text else f"**/{text}"
    return _Rule(_compiled(pattern), keep, folders_only)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_translated(pattern), re.DOTALL)


_NEVER = "(?!)"
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"!-~",
    "lower": "a-z",
    "print": r" -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "a-fA-F0-9",
}


def _translated(pattern: str) -> str:
    """A glob as a regular expression. What git cannot read matches nothing."""
    out = ""
    at = 0
    while at < len(pattern):
        here = pattern[at]
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            out, at = out + r"(?:.*/)?", at + 3
        elif pattern.startswith("**", at):
            out, at = out + r".*", at + 2
        elif here == "*":
            out, at = out + r"[^/]*", at + 1
        elif here == "?":
            out, at = out + r"[^/]", at + 1
        elif here == "[":
            members, at = _bracket(pattern, at + 1)
            out += members
        elif here == "\\":
            out, at = out + (re.escape(pattern[at + 1]) if at + 1 < len(pattern) else _NEVER), at + 2
        else:
            out, at = out + re.escape(here), at + 1
    return out


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """The content of a bracket after `[`, and its end. A reversed range matches nothing."""
    turned = pattern[at : at + 1] in ("!", "^")
    at += turned
    begin, members = at, ""
    while at < len(pattern) and (pattern[at] != "]" or at == begin):
        if pattern.startswith("[:", at):
            name, end, _ = pattern[at + 2 :].partition(":]")
            if not end or name not in _CLASSES:
                return _NEVER, len(pattern)
            members, at = members + _CLASSES[name], at + len(name) + 4
            continue
        low, at = _member(pattern, at)
        if pattern.startswith("-", at) and at + 1 < len(pattern) and pattern[at + 1] != "]":
            high, at = _member(pattern, at + 1)
            members += f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
        else:
            members += re.escape(low)
    if at >= len(pattern):
        return _NEVER, at
    if turned:
        return f"[^/{members}]", at + 1
    return (f"(?!/)[{members}]" if members else _NEVER), at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    at += pattern[at] == "\\" and at + 1 < len(pattern)
    return pattern[at], at + 1

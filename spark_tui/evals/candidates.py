"""What `spark eval --compare` and `spark promote` compare: a model, a server, settings, or a commit of spark.

Every candidate is a process of its own (`spark eval … --details`), so that neither sees the other's
settings, caches or code.
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from spark_tui.backends.factory import built_in_models
from spark_tui.backends.remote import presets
from spark_tui.config import paths, settings
from spark_tui.errors import UsageError
from spark_tui.session import settings_file
from spark_tui.workspace.git import GitFailed, git

COMMIT = "commit:"
_PACKAGE = Path(__file__).resolve().parents[1]
_FORMS = (
    "A candidate is a built-in model, a folder with a model, a server's address or name, `key=value` of a"
    " setting, `commit:REVISION` of spark, or several of them with commas between."
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """`settings` are on top of the user's own; `commit` is empty for the spark that runs."""

    name: str
    settings: dict[str, str] = field(default_factory=dict)
    commit: str = ""

    @property
    def environment(self) -> dict[str, str]:
        return {settings.env_name(key): value for key, value in self.settings.items()}

    def save(self, path: Path) -> None:
        """Write its settings into a settings file; an empty one is taken out."""
        for key, text in self.settings.items():
            if text:
                settings_file.put(path, key, settings.parse(key, text))
            else:
                settings_file.drop(path, key)

    def model_bytes(self, source: Path) -> int | None:
        """The size of the model's files; None where it is not on this machine."""
        loaded = settings.load(None, environ={**os.environ, **self.environment})
        if loaded.settings.connect or loaded.settings.replay:
            return None
        name = loaded.settings.model or next(iter(built_in_models()), "")
        place = Path(name).expanduser()
        folder = place if place.exists() else source / "spark_tui" / "models" / name
        files = [folder] if folder.is_file() else folder.rglob("*")
        return sum(path.stat().st_size for path in files if path.is_file())

    @contextmanager
    def source(self) -> Iterator[Path]:
        """The folder to run `spark_tui` from; of a commit, its files in a temporary one."""
        if not self.commit:
            yield _PACKAGE.parent
            return
        with TemporaryDirectory(prefix="spark-commit-") as folder:
            archive = git(_checkout(), "archive", "--format=tar", self.commit, "spark_tui")
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
                files.extractall(folder)
            yield Path(folder)


def parse_candidate(text: str) -> Candidate:
    """Raises UsageError for what is none."""
    chosen: dict[str, str] = {}
    commit = ""
    for part in filter(None, (item.strip() for item in text.split(","))):
        key, sign, value = part.partition("=")
        if part.startswith(COMMIT):
            commit = _resolved(part.removeprefix(COMMIT))
        elif "://" in part or presets.find(part) is not None:
            chosen["model.connect"] = part
        elif sign and key in settings.field_names() and not settings.is_table(key):
            chosen[key] = value
        elif part in built_in_models() or (os.sep in part and Path(part).expanduser().exists()):
            known = part in built_in_models()
            chosen["model.name"] = part if known else str(Path(part).expanduser().resolve())
            chosen.setdefault("model.connect", "")
        else:
            raise UsageError(f"{part!r} cannot be compared", hint=_FORMS)
    if not chosen and not commit:
        raise UsageError("a candidate is missing", hint=_FORMS)
    return Candidate(text, chosen, commit)


def _checkout() -> Path:
    root = paths.checkout_around(_PACKAGE)
    if not (root / ".git").exists():
        raise UsageError(
            "commits can be compared only where spark runs from its own repository",
            hint="Clone it, install it with pip install -e, and compare there.",
        )
    return root


def _resolved(revision: str) -> str:
    try:
        return git(_checkout(), "rev-parse", "--verify", f"{revision}^{{commit}}").decode().strip()
    except GitFailed as error:
        raise UsageError(f"no commit {revision!r} in spark's repository") from error

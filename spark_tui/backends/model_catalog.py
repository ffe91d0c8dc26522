"""List the models that could be used, on this machine and on a server, each with the settings that select it.

It reads configurations and the headers of weights, never weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.backends.factory import create_remote
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError, without_query

if TYPE_CHECKING:
    from spark_tui.engine.architecture import Arch


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """One model. `model`, `connect` and `replay` are the settings of these names."""

    name: str
    what: str
    where: str = ""
    model: str = ""
    connect: str = ""
    replay: str = ""
    usable: bool = True

    def settings(self, others: Settings) -> Settings:
        return replace(others, model=self.model, connect=self.connect, replay=self.replay)

    def is_of(self, settings: Settings) -> bool:
        """Whether these settings lead here. A server that gave no list names no model, as the built-in
        one does."""
        return self.usable and (self.model, self.connect, self.replay) == (
            settings.model,
            settings.connect,
            settings.replay,
        )


def models_in(folder: Path) -> list[Path]:
    """Model folders and GGUF files; the folder itself where it is one."""
    if not folder.is_dir():
        return []
    inside = [path.parent for path in folder.glob("*/config.json")]
    own = [folder] if (folder / "config.json").is_file() else []
    return sorted([*own, *inside, *folder.glob("*.gguf")])


def architecture(path: Path) -> Arch:
    """What the configuration says, with no weights read."""
    from spark_tui.engine.checkpoint import read_architecture

    if path.suffix == ".gguf" and path.is_file():
        from spark_tui.engine.formats.gguf import architecture_of
        from spark_tui.engine.formats.gguf_file import GgufFile

        return architecture_of(GgufFile(path))
    return read_architecture(path)[1]


def model_summary(path: Path) -> tuple[str, bool]:
    """A model in one line, and whether it can be used: a broken one does not hide the others."""
    from spark_tui.engine.checkpoint import open_files, read_json

    try:
        arch = architecture(path)
        if path.is_dir():
            open_files(path)
            if (tokenizer := path / "tokenizer.json").exists():
                read_json(tokenizer)
    except SparkError as error:
        file = f"{Path(error.where).name}: " if error.where and Path(error.where) != path else ""
        return f"cannot be used: {file}{error.what}. {error.hint}".rstrip(), False
    return (
        f"{arch.family}, {parameter_count(arch.shape.n_params)} weights, window {arch.window_tokens:,}",
        True,
    )


def parameter_count(number: int) -> str:
    for step, unit in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if number >= step:
            return f"{number / step:.3g}{unit}"
    return str(number)


def local_models(settings: Settings) -> list[ModelOffer]:
    """Those that the package carries, then those of the person's folders and the one that was named."""
    out = []
    for at, path in enumerate(models_in(paths.models_dir())):
        # The first one is what spark takes where no model is named.
        out.append(_offer(path, "built in", path.name if at or settings.model == path.name else ""))
    known = {offer.name for offer in out}
    named = (
        [Path(settings.model)]
        if settings.model and not settings.connect and settings.model not in known
        else []
    )
    folders = [Path(folder).expanduser() for folder in settings.folders]
    found = [path for folder in folders for path in models_in(folder)]
    for path in dict.fromkeys([*named, *found]):
        out.append(_offer(path.expanduser(), str(path.parent), str(path)))
    if settings.replay:
        out.append(ModelOffer("recordings", "recording", settings.replay, replay=settings.replay))
    return out


def _offer(path: Path, where: str, model: str) -> ModelOffer:
    what, usable = model_summary(path)
    return ModelOffer(path.name, what, where, model, usable=usable)


def known_servers(settings: Settings) -> list[tuple[str, str]]:
    """`(name, address)` of the servers that are known, the connected one first."""
    known = {address: name for name, address in settings.servers.items()}
    ordered: Iterable[str] = dict.fromkeys([*([settings.connect] if settings.connect else []), *known])
    return [(known.get(address, ""), address) for address in ordered]


def server_models(settings: Settings, address: str) -> list[ModelOffer]:
    """The models that a server lists. This makes a network request, which may take seconds; a SparkError says
    why there are none.
    """
    backend = create_remote(replace(settings, connect=address, model=""))
    try:
        models = backend.models()
    finally:
        backend.close()
    out = []
    for model in models:
        window = f"window {model.window:,}" if model.window else ""
        writes = f"writes {model.format}" if model.format else ""
        what = (
            ", ".join(filter(None, [model.owner and f"of {model.owner}", window, writes]))
            or "model of the server"
        )
        out.append(ModelOffer(model.name, what, server_label(address), model.name, address))
    return out


def server_label(address: str) -> str:
    """`http://desk:8000/v1` as people say it."""
    address = without_query(address)
    return address.partition("://")[2].partition("/")[0] or address

"""Load a model folder (`config.json` and `*.safetensors`) or a GGUF file into an `Arch` and float32 weights.

Float32 weights stay memory-mapped when they are stored in the required layout; other types are converted
once. Every tensor is checked for presence, shape and NaN, and errors name the tensor. Pickles are never
opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.engine.architecture import Arch, weight_shapes
from spark_tui.engine.families import FAMILIES, Family, family_of
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.families.tensor_names import TensorSource
from spark_tui.engine.formats.safetensors_file import SafetensorsFile
from spark_tui.engine.formats.weights import Array, Checkpoint, Progress, check_finite, check_memory
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import MalformedInput, Misfit, NoBackend

INDEX = "model.safetensors.index.json"
SCALE = "_scale"


def load_checkpoint(path: Path | str, progress: Progress | None = None) -> Checkpoint:
    """Read a model folder or a `.gguf` file. Raises `NoBackend` if there is none, or an error that names
    the problem."""
    path = Path(path).expanduser()
    if path.is_file() and path.suffix == ".gguf":
        from spark_tui.engine.formats.gguf import load_gguf

        return load_gguf(path, progress)
    _, arch, family = read_architecture(path)
    weights = _read_weights(path, arch, family, open_files(path), progress)
    return Checkpoint(arch, weights)


def load_tokenizer(path: Path | str) -> Tokenizer:
    """The tokenizer from the model's folder, or from inside the `.gguf` file."""
    path = Path(path).expanduser()
    if path.is_file() and path.suffix == ".gguf":
        from spark_tui.engine.formats.gguf_file import GgufFile
        from spark_tui.engine.formats.gguf_tokenizer import gguf_tokenizer

        return gguf_tokenizer(GgufFile(path).metadata, str(path))
    return Tokenizer.load(path)


def read_architecture(folder: Path) -> tuple[dict[str, Any], Arch, Family]:
    """The configuration and its `Arch`, without reading the weights."""
    if folder.is_file():
        raise NoBackend(
            "this file is not a model",
            where=str(folder),
            hint="Name the folder of the model, or a .gguf file.",
        )
    if not folder.is_dir():
        raise NoBackend(
            "no such model folder", where=str(folder), hint="`spark models list` lists the models."
        )
    config_path = folder / "config.json"
    if not config_path.is_file():
        raise NoBackend(
            "this is not a model folder: it has no config.json",
            where=str(folder),
            hint="Name a folder with config.json, tokenizer.json and *.safetensors.",
        )
    config = read_json(config_path)
    family = family_of(config, str(config_path))
    arch = family.arch(ModelConfig(config, str(config_path)), folder.resolve().name)
    return config, _with_generation_ids(folder, arch), family


def _with_generation_ids(folder: Path, arch: Arch) -> Arch:
    """What ends a text is written in `generation_config.json` more completely, where there is one."""
    path = folder / "generation_config.json"
    if not path.is_file():
        return arch
    settings = ModelConfig(read_json(path), str(path))
    return replace(arch, eos_ids=settings.ids("eos_token_id") or arch.eos_ids)


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object; anything else is an error that names the file."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedInput(f"cannot be read ({error.strerror})", where=str(path)) from error
    except (ValueError, RecursionError) as error:
        hint = "The file is truncated or damaged: write or download it again."
        raise MalformedInput(f"is not JSON ({error})", where=str(path), hint=hint) from error
    if not isinstance(value, dict):
        raise MalformedInput("is not a JSON object", where=str(path))
    return value


def open_files(folder: Path) -> dict[str, SafetensorsFile]:
    """Which file holds which tensor: of the index where there is one, else of every `*.safetensors`."""
    index_path = folder / INDEX
    if index_path.is_file():
        names = read_json(index_path).get("weight_map")
        if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
            raise MalformedInput("weight_map is missing or not a map of names", where=str(index_path))
        # A shard's name is a plain file name: an index must not reach outside of its folder.
        wrong = sorted(
            {name for name in names.values() if Path(name).name != name or not name.endswith(".safetensors")}
        )
        if wrong:
            raise MalformedInput(
                f"the index names {wrong[0]!r}, which is not a file of this folder", where=str(index_path)
            )
        missing = sorted({name for name in names.values() if not (folder / name).is_file()})
        if missing:
            raise MalformedInput(
                f"{len(missing)} of {len(set(names.values()))} shards are missing: {', '.join(missing[:5])}",
                where=str(folder),
                hint="Download the missing files.",
            )
        shards = {name: SafetensorsFile(folder / name) for name in sorted(set(names.values()))}
        for tensor, name in names.items():
            if tensor not in shards[name]:
                raise MalformedInput(
                    f"tensor {tensor} is not in {name}, where the index says", where=str(index_path)
                )
        return {tensor: shards[name] for tensor, name in names.items()}
    paths = sorted(folder.glob("*.safetensors"))
    if not paths:
        raise NoBackend(
            "no *.safetensors in this folder", where=str(folder), hint=_hint_without_weights(folder)
        )
    found: dict[str, SafetensorsFile] = {}
    for path in paths:
        file = SafetensorsFile(path)
        for entry in file:
            if entry.name in found:
                raise MalformedInput(
                    f"tensor {entry.name} is in {found[entry.name].path.name} and in {path.name}",
                    where=str(folder),
                )
            found[entry.name] = file
    return found


def _hint_without_weights(folder: Path) -> str:
    if any(folder.glob("*.gguf")):
        return "The folder has a GGUF file: name the file itself."
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt*")):
        return (
            "Pickled weights (*.bin, *.pt) are never loaded: they can run code. Convert them to safetensors."
        )
    return "Download the weights of this model."


def _read_weights(
    folder: Path, arch: Arch, family: Family, files: Mapping[str, SafetensorsFile], progress: Progress | None
) -> dict[str, Array]:
    sources = family.sources(arch)
    stem = _stem(family, sources["embed.tok"], files)
    total = sum(int(np.prod(shape)) * 4 for shape in weight_shapes(arch).values())
    missing = [
        found for found in (_spelled(s, family, stem, files) for s in sources.values()) if found not in files
    ]
    if missing:
        raise MalformedInput(
            f"{len(missing)} of {len(sources)} tensors are missing: {', '.join(missing[:5])}",
            where=str(folder),
            hint=(
                f"config.json asks for {arch.n_layers} {arch.family} layers; the files hold {len(files)}"
                " tensors."
            ),
        )
    check_memory(arch, str(folder))
    weights: dict[str, Array] = {}
    joined: dict[str, Array] = {}
    done = 0
    for name, shape in weight_shapes(arch).items():
        source = sources[name]
        weights[name] = _read_one(_spelled(source, family, stem, files), source, files, joined)
        if weights[name].shape != shape:
            raise MalformedInput(
                f"weight {name} came out as {list(weights[name].shape)}, expected {list(shape)}",
                where=str(folder),
            )
        done += weights[name].size * 4
        if progress:
            progress(done, total)
    return weights


def _stem(family: Family, embedding: TensorSource, files: Mapping[str, SafetensorsFile]) -> str:
    """How these files spell the stem: the one under which the embedding is found."""
    own = family.names.stem
    rest = embedding.name.removeprefix(own)
    return next((stem for stem in family.stems or (own, "") if stem + rest in files), own)


def _spelled(source: TensorSource, family: Family, stem: str, files: Mapping[str, SafetensorsFile]) -> str:
    own = family.names.stem
    if source.name.startswith(own):
        return stem + source.name.removeprefix(own)
    nested = stem.removesuffix(own) + source.name
    return nested if nested in files else source.name


def _read_one(
    name: str, source: TensorSource, files: Mapping[str, SafetensorsFile], joined: dict[str, Array]
) -> Array:
    file = files[name]
    entry = file.entries[name]
    if entry.shape != source.shape:
        raise MalformedInput(
            f"tensor {name} has the shape {list(entry.shape)}, expected {list(source.shape)}",
            where=str(file.path),
            hint="The weights do not belong to this config.json.",
        )
    if name in joined:
        whole = joined[name]
    else:
        whole = _dequantized(name, files) if entry.dtype == "I8" else file.read(name)
        check_finite(whole, name, str(file.path))
        if source.transpose:
            whole = np.ascontiguousarray(whole.T)
        if source.rows is not None:
            joined[name] = whole
    return whole if source.rows is None else whole[source.rows[0] : source.rows[1]]


def _dequantized(name: str, files: Mapping[str, SafetensorsFile]) -> Array:
    """An int8 matrix with one scale per row: `X.weight` and `X.weight_scale`."""
    file, scale_name = files[name], name + SCALE
    if scale_name not in files:
        raise MalformedInput(f"tensor {name} is int8, and {scale_name} is missing", where=str(file.path))
    raw, scale = file.raw(name), files[scale_name].read(scale_name).reshape(-1)
    if raw.ndim != 2 or scale.shape != raw.shape[:1]:
        raise MalformedInput(
            f"tensor {scale_name} has {scale.size} scales, expected {raw.shape[0] if raw.ndim else 0}",
            where=str(file.path),
        )
    out = np.empty(raw.shape, np.float32)
    np.multiply(raw, scale[:, None], out=out, dtype=np.float32)
    return out


def check_tokenizer(arch: Arch, tokenizer: Tokenizer) -> None:
    """Every id that the tokenizer can give must have an embedding."""
    spares = FAMILIES[arch.family].spare_special_ids
    highest = tokenizer.highest_plain_id if spares else tokenizer.highest_id
    if highest >= arch.vocab_size:
        raise Misfit(
            f"the tokenizer has ids up to {highest}, the embedding ends at {arch.vocab_size - 1}",
            where=tokenizer.where,
            hint="tokenizer.json does not belong to these weights.",
        )

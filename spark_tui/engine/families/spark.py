"""The built-in family, as specified in `docs/model-format.md`."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.engine.architecture import Arch, Tags
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.families.llama import decoder_arch
from spark_tui.errors import Misfit


def spark_arch(settings: ModelConfig, name: str) -> Arch:
    own = settings.section("spark")
    own.integer("max_window_lines", 1)  # the backend reads these
    gate = own.section("gate")
    for key in gate.values:
        gate.number(key, 0.0)
    layout = own.integer("layout", 1)
    if layout != 1:
        raise Misfit(
            f"this model uses layout {layout}, but this version of spark supports layout 1",
            where=settings.where,
            hint="Update spark, or use a model of layout 1.",
        )
    for key in ("head_dim", "max_position_embeddings"):
        settings.integer(key)  # nothing else says it
    arch = decoder_arch(settings, name, "spark", positions=0, tied=True)
    if not arch.tied_head:
        raise settings.error("tie_word_embeddings is false: a spark model has a tied head")
    windows = tuple(int(width) for width in settings.numbers("layer_windows"))
    tags = None
    if settings.flag("tag_embeddings", True):
        tags = Tags(
            first=settings.integer("tag_first_id"),
            count=settings.integer("tag_count"),
            ends=tuple(range(settings.integer("operator_count"))),
        )
    return replace(
        arch,
        windows=windows if any(windows) else (),
        qk_norm=True,
        smear=settings.flag("smear_keys", True),
        tags=tags,
        page_select=settings.flag("page_select", False),
    )

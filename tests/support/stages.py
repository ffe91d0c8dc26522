"""Stages of a request's pipeline, found by their type."""

from __future__ import annotations

from typing import TypeVar

from spark_tui.backends.local.prompt_format import EncodedRequest

T = TypeVar("T")


def stage_names(asked: EncodedRequest) -> list[str]:
    return [type(stage).__name__ for stage in asked.pipeline.stages]


def stage_of(asked: EncodedRequest, kind: type[T]) -> T:
    return next(stage for stage in asked.pipeline.stages if isinstance(stage, kind))

"""Edits after which each name is found and each call fits, and the program does something else: each is
refused or says so. Their twins, which are right, say nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from codemods.repositories import repository

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Plan

CASES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("run_time_harm.toml").read_text("utf-8")
)["case"]


@pytest.mark.parametrize("case", CASES, ids=[f"{at}-{one['call'][:40]}" for at, one in enumerate(CASES)])
def test_what_changes_at_run_time_is_said(case: dict[str, Any]) -> None:
    repo = repository(case["files"])
    found = registry.parse(case["call"]).plan(repo)
    if not isinstance(found, Plan):
        assert case["says"] == found.reason
        return
    plan = checked(found, repo)
    said = {unfollowed.reason for unfollowed in (*plan.unfollowed, *plan.findings)}
    if case["says"]:
        assert case["says"] in said
    else:
        assert said == set()

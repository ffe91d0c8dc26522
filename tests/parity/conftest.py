"""Everything in this folder needs torch and transformers, and shares the ways of running with
tests/engine."""

from __future__ import annotations

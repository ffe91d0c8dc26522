"""Everything in this folder needs torch and transformers, and shares the ways of running with
tests/engine."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engine"))

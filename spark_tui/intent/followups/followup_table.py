"""What follow-ups replace: `followups.toml`."""

from __future__ import annotations

from spark_tui.tables import table_beside

followup_table = table_beside(__file__, "followups.toml")
"""The slots that each kind of correction may replace, the likeliest first."""

"""Seeded faults, the fixes that are offered for them, and the outputs of real tools."""

"""Copies of real packages, and their tests in a sandbox."""

"""The turns of a session and their hunks: checked, decided and written."""

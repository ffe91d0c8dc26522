"""The life of a turn: admitted, queued, run in a thread, stopped, steered, resumed."""

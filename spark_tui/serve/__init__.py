"""A model behind the Responses API, over WebSocket or plain HTTP. `spark serve` starts it."""

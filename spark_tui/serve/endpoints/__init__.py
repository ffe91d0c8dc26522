"""The doors: requests over HTTP and WebSocket, parsed and answered."""

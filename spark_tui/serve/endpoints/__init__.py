"""Endpoints: requests over HTTP and WebSocket, parsed and answered."""

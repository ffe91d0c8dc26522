"""Where text comes from. Every backend is one method: `stream(request, stop) -> Iterator[Event]`."""

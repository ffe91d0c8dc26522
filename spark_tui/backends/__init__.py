"""Where answers come from. Every backend is one method: `stream(request, stop) -> Iterator[Event]`."""

"""The application: routes over one desk that lives as long as the server runs.

Comes in: backends, bounds, access. Goes out: an ASGI application. Must not know: addresses, processes.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from spark_tui.backends.base import Backend
from spark_tui.serve import http_endpoints
from spark_tui.serve import websocket as websocket_endpoint
from spark_tui.serve.access import Access
from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.server_context import ServerContext


def make_app(
    backends: dict[str, Backend],
    *,
    aliases: dict[str, str] | None = None,
    limits: ServerLimits | None = None,
    access: Access | None = None,
) -> Starlette:
    """One server. Backends are closed by whoever made them."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        desk = ServerContext.make(
            backends, aliases or {}, limits or ServerLimits(), access or Access("127.0.0.1")
        )

        async def lasting(websocket: WebSocket) -> None:
            await websocket_endpoint.endpoint(desk, websocket)

        # The hub needs the running loop, so the routes are laid when there is one.
        app.router.routes[:] = [WebSocketRoute("/v1/responses", lasting), *http_endpoints.routes(desk)]
        app.state.desk = desk
        try:
            yield
        finally:
            await desk.hub.close()

    handlers: dict[Any, Any] = {404: _nothing_here, 405: _nothing_here}
    app = Starlette(lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return app


async def _nothing_here(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    code = "method_not_allowed" if status == 405 else "unknown_path"
    return http_endpoints.problem_response(
        ApiError(status, code, f"{request.method} {request.url.path[:120]} does not exist on this server.")
    )

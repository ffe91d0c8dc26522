"""The ASGI application: its routes, and one server context that lives as long as the server runs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from spark_tui.backends.base import Backend
from spark_tui.serve.access import Access
from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.endpoints import http
from spark_tui.serve.endpoints import websocket as websocket_endpoint
from spark_tui.serve.endpoints.server_context import ServerContext
from spark_tui.serve.limits import ServerLimits


def make_app(
    backends: dict[str, Backend],
    *,
    aliases: dict[str, str] | None = None,
    limits: ServerLimits | None = None,
    access: Access | None = None,
    canary_share: float = 0.0,
) -> Starlette:
    """One server. Backends are closed by whoever made them. With a share of the sessions the second backend
    is the canary of the first."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        context = ServerContext.make(
            backends, aliases or {}, limits or ServerLimits(), access or Access("127.0.0.1"), canary_share
        )

        async def lasting(websocket: WebSocket) -> None:
            await websocket_endpoint.endpoint(context, websocket)

        # The registry needs the running loop, so the routes are laid when there is one.
        sockets = [WebSocketRoute("/v1/responses", lasting), WebSocketRoute("/{path:path}", _no_socket)]
        app.router.routes[:] = [*sockets, *http.routes(context)]
        app.state.server_context = context
        try:
            yield
        finally:
            context.exact.close()
            await context.registry.close()

    handlers: dict[Any, Any] = {404: _nothing_here, 405: _nothing_here}
    origins = access.origins if access is not None else ()
    pages = Middleware(CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"])
    app = Starlette(lifespan=lifespan, exception_handlers=handlers, middleware=[pages] if origins else [])
    app.router.redirect_slashes = False
    return app


async def _nothing_here(request: Request, error: Exception) -> Response:
    headers = (error.headers if isinstance(error, HTTPException) else None) or {}
    what = f"{request.method} {request.url.path[:120]}"
    if allowed := headers.get("Allow"):
        problem = ApiError(405, "method_not_allowed", f"{what} is not allowed: use {allowed}.")
    else:
        problem = ApiError(404, "unknown_path", f"{what} does not exist on this server.")
    response = http.problem_response(problem)
    response.headers.update(headers)
    return response


async def _no_socket(websocket: WebSocket) -> None:
    message = f"There is no WebSocket at {websocket.url.path[:120]}: connect to /v1/responses."
    await websocket.send_denial_response(http.problem_response(ApiError(404, "unknown_path", message)))

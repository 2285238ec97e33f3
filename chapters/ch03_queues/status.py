"""What a server says of itself: /health and /stats. Given."""

from __future__ import annotations

from starlette.responses import JSONResponse

from chapters.ch02_request_ids.registry import Registry
from chapters.ch03_queues.backend import Backend
from chapters.ch03_queues.worker import Worker
from chapters.core import Core


class Status:
    """The two pages; both answer from counts that are kept anyway, and wait for nothing."""

    def __init__(self, core: Core, registry: Registry, worker: Worker, backend: Backend):
        self.core, self.registry, self.worker, self.backend = core, registry, worker, backend

    async def health(self, request):
        """200 while the worker lives; 503 with the reason once it is dead."""
        if self.backend.dead is None:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": f"the worker is dead: {self.backend.dead}"}, 503)

    async def stats(self, request):
        """open: requests whose client waits; running: taken up by the worker; waiting: messages
        in its inbox; tokens, aborted and discarded (replies without an owner) since the start;
        kv_tokens: held in KV caches now."""
        return JSONResponse(
            {
                "open": len(self.registry.live),
                "running": len(self.worker.running),
                "waiting": self.worker.inbox.qsize(),
                "tokens": self.worker.tokens,
                "aborted": self.worker.aborted,
                "discarded": self.registry.discarded,
                "kv_tokens": self.core.kv_tokens,
            }
        )

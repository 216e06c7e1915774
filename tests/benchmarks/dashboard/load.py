"""Simulated viewers whose browsers cannot run the model: the server translates (POST /translate)."""

import asyncio
import random
import time
from dataclasses import dataclass, field

import httpx

from tests.benchmarks.dashboard.opening import MODEL

HALF_WIDTH = 4
FIRST_WAIT = 60.0  # seconds for the first answer, before which the server loads the model


@dataclass
class Viewer:
    """One open page: its sentence, and the seconds that each answer took (None: no answer)."""

    text: str
    waits: list[float | None] = field(default_factory=list)

    async def move(self, server: httpx.AsyncClient, moves: int, pause: float) -> None:
        """Ask for another sigma `moves` times, `pause` seconds apart."""
        begin = time.perf_counter()
        for i in range(moves):
            await asyncio.sleep(max(0.0, begin + i * pause - time.perf_counter()))
            sigma = 0.3 + random.Random(f"{self.text}{i}").random() * 9  # most likely a new value, so not in a cache
            sent = time.perf_counter()
            try:
                await self.ask(server, sigma, max(pause, 5.0))
                self.waits.append(time.perf_counter() - sent)
            except httpx.TimeoutException:
                self.waits.append(None)

    async def ask(self, server: httpx.AsyncClient, sigma: float, patience: float) -> None:
        """Let the server translate the sentence. Raises httpx.HTTPError where it refuses or does not answer in time."""
        request = {"text": self.text, "window": "local-p", "half_width": HALF_WIDTH, "sigma": sigma}
        answer = await server.post("/translate", json={"model": MODEL, "request": request}, timeout=patience)
        answer.raise_for_status()


async def crowd(address: str, texts: list[str], moves: int, pause: float = 1.0) -> list[Viewer]:
    """Run one viewer per text, their moves spread over the pause, and return all viewers when they are done."""
    viewers = [Viewer(text) for text in texts]
    limits = httpx.Limits(max_connections=len(texts), max_keepalive_connections=len(texts))
    async with httpx.AsyncClient(base_url=address, limits=limits) as server:
        await asyncio.gather(*(viewer.ask(server, 20, FIRST_WAIT) for viewer in viewers))

        async def one(viewer: Viewer, late: float) -> None:
            await asyncio.sleep(late)
            await viewer.move(server, moves, pause)

        await asyncio.gather(*(one(viewer, i * pause / len(viewers)) for i, viewer in enumerate(viewers)))
    return viewers

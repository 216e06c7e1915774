"""Simulated viewers whose browsers cannot run the model: the server translates, over Streamlit's websocket protocol."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.app_opening import MODEL

PATIENCE = 60.0  # seconds for a page's first run
HALF_WIDTH = 4


@dataclass
class Viewer:
    """One open page: the ids of its stage, and the seconds that each answer took (None: no answer)."""

    text: str
    waits: list[float | None] = field(default_factory=list)
    stage: str = ""
    fragment: str = ""
    script: str = ""

    async def watch(self, address: str, moves: int, pause: float, start: asyncio.Event, ready: asyncio.Barrier) -> None:
        """Open the page, wait for the rest, then ask for another sigma `moves` times, `pause` seconds apart."""
        async with websockets.connect(
            f"{address.replace('http', 'ws')}/_stcore/stream", subprotocols=["streamlit"], max_size=None
        ) as socket:
            await socket.send(self._run(urlencode({"text": self.text})).SerializeToString())
            await asyncio.wait_for(self._picture(socket), PATIENCE)
            await ready.wait()
            await start.wait()
            begin = time.perf_counter()
            for i in range(moves):
                await asyncio.sleep(max(0.0, begin + i * pause - time.perf_counter()))
                sigma = (
                    0.3 + random.Random(f"{self.text}{i}").random() * 9
                )  # most likely a new value, so not in a cache
                sent = time.perf_counter()
                await socket.send(self._ask(i + 1, sigma).SerializeToString())
                try:
                    await asyncio.wait_for(self._served(socket, i + 1), max(pause, 5.0))
                    self.waits.append(time.perf_counter() - sent)
                except TimeoutError:
                    self.waits.append(None)

    def _run(self, query: str = "") -> BackMsg:
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_script_hash = self.script
        return message

    def _ask(self, number: int, sigma: float) -> BackMsg:
        """The stage's request with this number."""
        message = self._run()
        message.rerun_script.fragment_id = self.fragment
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.stage
        request = {"text": self.text, "window": "local-p", "half_width": HALF_WIDTH, "sigma": sigma}
        state.json_value = json.dumps({"asked": {"id": number, "model": MODEL, "request": request}})
        return message

    async def _picture(self, socket: Any) -> None:
        """Wait until the server has sent the stage and its script run has finished."""
        while True:
            message = ForwardMsg.FromString(await socket.recv())
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.script = message.new_session.page_script_hash
            elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "bidi_component":
                found = message.delta.new_element.bidi_component
                if found.component_name.endswith("explorer"):
                    self.stage, self.fragment = found.id, message.delta.fragment_id
            elif kind == "script_finished" and self.stage:
                return

    async def _served(self, socket: Any, number: int) -> None:
        """Wait for the answer to the request with this number."""
        while True:
            message = ForwardMsg.FromString(await socket.recv())
            if message.WhichOneof("type") != "delta":
                continue
            if message.delta.new_element.WhichOneof("type") != "bidi_component":
                continue
            found = message.delta.new_element.bidi_component
            if not found.component_name.endswith("answers"):
                continue
            if (served := json.loads(found.bytes)["served"]) and served["id"] == number:
                assert "answer" in served, served
                return


async def crowd(address: str, texts: list[str], moves: int, pause: float = 1.0) -> list[Viewer]:
    """Run one viewer per text, their moves spread over the pause, and return all viewers when they are done."""
    viewers = [Viewer(text) for text in texts]
    start, ready = asyncio.Event(), asyncio.Barrier(len(texts) + 1)

    async def one(viewer: Viewer, late: float) -> None:
        opened = asyncio.Event()
        waiting = asyncio.create_task(viewer.watch(address, moves, pause, opened, ready))
        await start.wait()
        await asyncio.sleep(late)
        opened.set()
        await waiting

    tasks = [asyncio.create_task(one(viewer, i * pause / len(viewers))) for i, viewer in enumerate(viewers)]
    await asyncio.wait_for(ready.wait(), 10 * PATIENCE)
    start.set()
    await asyncio.gather(*tasks)
    return viewers

"""What the page's buttons do: with the shown server, the clients and the demonstrations."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from chapters.classroom.clients import CHAT, Clients
from chapters.classroom.demos import DEMOS, FAULTS, MAIN, Demo
from chapters.classroom.record import Record
from chapters.classroom.shown import Choice, Shown
from chapters.classroom.stage import Stage
from chapters.course.manifest import course
from chapters.course.wrong import wrongs

STREAMS_FROM = 4  # the first chapter whose server can stream
PACE = 10  # tokens a second of the scripted core in demonstrations, unless another was chosen


COMMANDS = ("send", "stop", "vanish", "slowly", "more", "kill", "clear", "serve", "play")


class Classroom:
    """Everything behind the page: the shown server, the clients, the record of the run.

    models: the names in the model menu, which is all that may be chosen. chosen: what a person
    has chosen; a demonstration may show something else.
    """

    def __init__(self, record: Record, shown: Shown, models: list[str | None]):
        self.record, self.shown, self.models = record, shown, models
        self.chosen = shown.choice
        self.clients = Clients(record, lambda: shown.port)
        self.playing: asyncio.Task | None = None
        self._acting = asyncio.Lock()  # two clicks act one after the other

    def menus(self) -> dict:
        """What there is to choose from."""
        return {"models": self.models, "chapters": [self._menu(number) for number in course()]}

    def _menu(self, number: int) -> dict:
        chapter = course()[number]
        return {
            "number": number,
            "title": chapter.title,
            "demos": [_button(demo) for demo in MAIN if demo.chapter == number],
            "faults": [_button(demo) for demo in FAULTS if demo.chapter == number],
            "wrongs": [
                {"name": wrong.name, "title": wrong.title, "believes": wrong.misunderstood}
                for wrong in wrongs(chapter)
            ],
        }

    # Commands, by the name in `do`; each takes the command's other fields.

    async def send(self, client: str, prompt: str, max_tokens: int, stream: bool) -> None:
        body = {
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "stream": stream,
            "temperature": 0,
        }
        await self.clients[client].ask(CHAT, body)

    async def stop(self, client: str) -> None:
        await self.clients[client].leave()

    async def vanish(self, client: str) -> None:
        await self.clients[client].leave(drop=True)

    async def slowly(self, client: str, on: bool) -> None:
        self.clients[client].read_slowly(on)

    async def more(self) -> None:
        self.clients.more()

    async def kill(self) -> None:
        self.shown.kill()

    async def clear(self) -> None:
        """Begin another run with the server as it is."""
        async with self._acting:
            await self._quiet()
            self.begin()

    async def serve(
        self, chapter: int, whose: str, model: str | None, pace: float | None, wrong: str | None
    ) -> None:
        """Show another server; of a wrong answer, where it can be seen."""
        demo = next((d for d in FAULTS if (d.chapter, d.wrong) == (chapter, wrong)), None)
        on = demo.on if demo and demo.on else chapter
        fits = chapter in course() and whose in ("reference", "mine") and model in self.models
        if not fits or (wrong and wrong not in {w.name for w in wrongs(course()[chapter])}):
            raise ValueError("there is no such server")
        async with self._acting:
            await self._quiet()
            self.chosen = Choice(on, whose, wrong, chapter if wrong else None, model, pace)
            await self.shown.change(self.chosen, self.begin)

    async def play(self, demo: str) -> None:
        """Play a demonstration, on its own server; whatever is being played ends."""
        async with self._acting:
            await self._quiet()
            self.playing = asyncio.create_task(self._play(DEMOS[demo]))

    def _for(self, demo: Demo) -> Choice:
        """The server that a demonstration needs; the rest as it was chosen."""
        model = "scripted" if demo.scripted else self.chosen.model
        return replace(
            self.chosen,
            chapter=demo.on or demo.chapter,
            wrong=demo.wrong,
            wrong_of=demo.chapter if demo.wrong else None,
            model=model,
            pace=(self.chosen.pace or PACE) if model == "scripted" else self.chosen.pace,
        )

    async def _play(self, demo: Demo) -> None:
        wanted = self._for(demo)
        idle = self.shown.known["state"] == "running" and not self.shown.unfinished
        if wanted != self.shown.choice or not idle:
            await self.shown.change(wanted, self.begin)
        else:
            self.begin()
        if self.shown.known["state"] != "running":
            return
        streams = wanted.chapter >= STREAMS_FROM
        stage = Stage(self.record, self.clients, self.shown.server, streams)
        self.record.hearers = [stage.lanes.take]
        self._tell_demo(demo, "begins")
        try:
            with suppress(TimeoutError):
                await demo.play(stage)
        finally:
            stage.open()
            self.record.hearers = []
        self._tell_demo(demo, "ended")

    def _tell_demo(self, demo: Demo, state: str) -> None:
        self.record.add("demo", state=state, **_button(demo))

    async def _quiet(self) -> None:
        """End what is being played, and let all clients leave."""
        if self.playing:
            self.playing.cancel()
            await asyncio.wait({self.playing})
            self.playing = None
        await self.clients.leave()

    def begin(self) -> None:
        for client in self.clients.values():
            client.state, client.port, client.slow = "idle", None, False
        self.record.begin(server=self.shown.known, clients=self.clients.known())

    async def end(self) -> None:
        await self._quiet()
        await asyncio.to_thread(self.shown.stop)


def _button(demo: Demo) -> dict:
    return {"id": demo.id, "title": demo.title, "watch": demo.watch, "wrong": demo.wrong}

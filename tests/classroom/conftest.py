"""The page in a real browser: Debian's Chromium, driven by playwright, both optional.

Where one of them is missing, these tests say so and are skipped, or fail with PAGE_TESTS=required.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from chapters.course.paths import ROOT

COMMAND = [sys.executable, "-m", "chapters.course"]
PATIENCE = 60_000  # milliseconds; only a hang takes so long


class Started:
    """`make demo`, running: the addresses of the shown server and of the page."""

    def __init__(self, *words: str):
        self.process = subprocess.Popen(
            [*COMMAND, "demo", "MODEL=scripted", "PORT=0", "PAGE_PORT=0", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # A crash then says where it was.
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"},
        )
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if line.strip().startswith("curl "):
                break
        self.url, self.page = re.findall(r"http://localhost:\d+", self.said)[:2]

    def end(self, number: int = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.said += self.process.stdout.read()
        return self.process.wait()


@pytest.fixture(scope="session")
def demo():
    """One demo for all tests of the page."""
    started = Started("PACE=50")
    yield started
    started.end()


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium. Not for longer: while playwright is open, no test can run a loop."""
    path = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return _missing("playwright is not installed: `make test` installs it")
    if path is None:
        return _missing("there is no chromium here: on Debian, `apt-get install chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def _missing(why: str):
    if os.environ.get("PAGE_TESTS") == "required":
        pytest.fail(f"{why}; with PAGE_TESTS=required the page's tests must run")
    pytest.skip(why)


class Seen:
    """The page, as a person uses it."""

    def __init__(self, page):
        self.page = page

    def wait(self, condition: str, *arguments):
        """Until this JavaScript is true."""
        self.page.wait_for_function(condition, arg=list(arguments), timeout=PATIENCE)

    def runs(self, words: str = "") -> None:
        """Until a server runs whose description has these words."""
        self.wait(
            "([words]) => document.body.dataset.server === 'running' &&"
            " document.querySelector('#server').textContent.includes(words)",
            words,
        )

    def serve(self, act, words: str) -> None:
        """Do what exchanges the server; until the new one runs and its description has these."""
        number = self.page.evaluate("page.run.number")
        act()
        self.wait(
            "([number, words]) => page.run.number > number && page.run.server.state === 'running'"
            " && !page.dirty && document.querySelector('#server').textContent.includes(words)",
            number,
            words,
        )

    def choose(self, menu: str, value: str, words: str) -> None:
        """Choose from a menu; until such a server runs."""
        self.serve(lambda: self.page.select_option(menu, value), words)

    def chapter(self, number: int) -> None:
        click = functools.partial(self.page.click, f"[data-chapter='{number}']")
        self.serve(click, f"chapter {number}’s server, the reference")

    def pace(self, wanted: str) -> None:
        """Until the shown server's core is that fast."""
        if self.page.eval_on_selector("#pace", "list => list.selectedOptions[0].text") != wanted:
            self.choose("#pace", wanted, "")

    def play(self, chapter: int, demo: str) -> None:
        """Click the button of a demonstration; until it has ended and all of it was told."""
        if self.page.get_attribute(f"[data-chapter='{chapter}']", "aria-pressed") != "true":
            self.chapter(chapter)
        number = self.page.evaluate("page.run.number")
        self.page.click(f"button[data-demo='{demo}']")
        self.wait(
            "([demo, number]) => page.run.number > number && page.run.demo?.id === demo"
            " && page.run.demo.state === 'ended' && !page.dirty",
            demo,
            number,
        )
        self.page.evaluate("drawWords(page.run, 0)")

    def send(self, client: str, **fields) -> None:
        """Fill in a client's fields and press Enter."""
        card = self.page.locator(f"[aria-label='Client {client}']")
        card.get_by_label("max_tokens").fill(str(fields.get("tokens", 24)))
        card.get_by_label("stream").check()
        prompt = card.get_by_label("prompt")
        prompt.fill(fields.get("prompt", "hey"))
        prompt.press("Enter")

    def until_done(self, *clients: str) -> None:
        self.wait(
            "names => names.every(name => page.run.laneOf(name)?.over"
            " && page.run.clients.get(name)?.state === 'done') && !page.dirty",
            *clients,
        )
        self.page.evaluate("drawWords(page.run, 0)")

    def words(self, lane: str) -> str:
        """What the time-line says of a lane, in words."""
        return self.page.text_content(f"#words [data-lane='{lane}']")

    def when(self, lane: str) -> dict[str, float]:
        """The moments of a lane, in seconds."""
        found = re.findall(r"([a-z][a-z ]*?)(?: of \d+ tokens)? ([\d.]+) s", self.words(lane))
        return {name.strip(): float(at) for name, at in found}

    def number(self, pattern: str, lane: str) -> int:
        """A number in a lane's words; 0 if they do not have it."""
        found = re.search(pattern, self.words(lane))
        return int(found[1]) if found else 0

    def count(self, name: str) -> int:
        return int(self.page.text_content(f"#count-{name}"))

    def answer(self, client: str) -> str:
        return self.page.evaluate("name => page.run.wires.get(name)?.answer ?? ''", client)

    def wire(self) -> str:
        """The response bytes of the selected client, as they are shown."""
        return self.page.text_content("#response")


@pytest.fixture
def seen(chromium, demo):
    """The page in a tab of its own; an error in its scripts fails the test."""
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE)
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.on("console", lambda told: told.type == "error" and errors.append(told.text))
    page.goto(demo.page)
    page.wait_for_selector("[data-chapter]")
    yield Seen(page)
    page.close()
    assert not errors

"""The page in a browser: switching, breaking, crashing, crowds, replays, and hostile text."""

from __future__ import annotations

import functools
import http.server
import os
import signal
import threading
from contextlib import contextmanager

import httpx
import pytest

from chapters.course import serve

HOSTILE = "<b id=hit>x</b><img src=x onerror='window.hit = 1'><script>window.hit = 1</script>"
STROKES = """() => {
    let strokes = 0;
    const pen = CanvasRenderingContext2D.prototype;
    const before = {...Object.getOwnPropertyDescriptors(pen)};
    for (const name of ["fillRect", "strokeRect", "fillText", "stroke", "fill"]) {
        pen[name] = function (...given) {
            strokes += 1;
            return before[name].value.apply(this, given);
        };
    }
    page.dirty = true;
    draw(0);
    Object.defineProperties(pen, before);
    return strokes;
}"""
ELEMENTS = "document.querySelectorAll('*').length"


def test_the_same_clicks_in_two_chapters(seen):
    for chapter in (1, 3):
        seen.chapter(chapter)
        seen.send("A", tokens=4000)
        seen.wait("() => page.run.laneOf('A')?.tokens > 0")
        seen.send("B", tokens=3)
        seen.wait("() => page.run.clients.get('B').state !== 'idle'")
        if chapter == 1:
            tokens = seen.page.evaluate("page.run.laneOf('A').tokens")
            seen.wait("([tokens]) => page.run.laneOf('A').tokens > tokens + 20", tokens)
            assert seen.page.evaluate("page.run.laneOf('B').received") is None
        else:
            seen.until_done("B")
            assert not seen.page.evaluate("page.run.laneOf('A').over")


def test_any_wrong_answer_is_swapped_in_and_seen(seen):
    seen.chapter(1)
    seen.choose("#wrong", "usage_of_zeros", "usage is there for the shape")
    seen.send("A")
    seen.until_done("A")
    assert '"completion_tokens":0' in seen.wire() and "24 tokens" in seen.words("A")
    seen.choose("#wrong", "", "the reference")


def test_whoever_clicks_twice_gets_the_second(seen):
    seen.chapter(3)
    for demo in ("3-first_come_first_served", "3-mailbox_on_self"):
        seen.page.click(f"button[data-demo='{demo}']")
    seen.wait("() => page.run.demo?.state === 'ended'")
    assert seen.page.evaluate("page.run.server.wrong") == "mailbox_on_self"
    assert seen.page.evaluate("page.run.server.state") == "running"


def test_a_demonstration_is_played_again_while_its_server_computes(seen):
    seen.chapter(1)
    number = seen.page.evaluate("page.run.number")
    seen.page.click("button[data-demo='1-b-waits-for-a']")
    seen.wait("() => page.run.laneOf('A')?.tokens > 0")
    seen.page.click("button[data-demo='1-b-waits-for-a']")
    seen.wait("([n]) => page.run.number > n + 1 && page.run.demo?.state === 'ended'", number)
    seen.page.evaluate("drawWords(page.run, 0)")
    assert [seen.number(r"(\d+) tokens,", name) for name in "AB"] == [24, 4]


def test_whoever_clicks_back_gets_the_first(seen):
    seen.play(3, "3-taking-turns")
    number = seen.page.evaluate("page.run.number")
    for demo in ("3-mailbox_on_self", "3-taking-turns"):
        seen.page.click(f"button[data-demo='{demo}']")
    seen.wait(
        "([n]) => page.run.number > n && page.run.demo?.id === '3-taking-turns'"
        " && page.run.demo.state === 'ended'",
        number,
    )
    assert seen.page.evaluate("page.run.server.wrong") is None


def test_a_demonstration_ends_when_its_server_does(seen):
    seen.chapter(3)
    seen.page.click("button[data-demo='3-ten-accepted-one-computed']")
    seen.wait("() => page.run.laneOf('J')?.received")
    seen.page.click("#kill")
    seen.wait("() => page.run.demo?.state === 'ended' && page.run.server.state === 'ended'")
    seen.serve(lambda: seen.page.click("#restart"), "chapter 3")


def test_the_students_own_files_where_there_are_none(seen):
    seen.choose("#whose", "mine", "none of your files is begun")
    seen.choose("#whose", "reference", "the reference")


def test_a_crash_is_told_and_the_page_goes_on(seen, demo):
    seen.chapter(5)
    seen.send("A", tokens=4000)
    seen.wait("() => page.run.laneOf('A')?.tokens > 2")
    os.kill(int(seen.page.get_attribute("#server", "data-pid")), signal.SIGABRT)
    seen.wait(
        "() => document.body.dataset.server === 'ended' && page.run.laneOf('A').lost !== null"
    )
    assert "killed by SIGABRT" in seen.page.text_content("#caption h2")
    assert "File " in seen.page.text_content("#caption pre")  # the end of what it said
    with serve.listen(int(demo.url.rpartition(":")[2])):
        seen.page.click("#restart")
        seen.wait("() => document.body.dataset.server === 'refused'")
        assert "cannot be used" in seen.page.text_content("#caption")
    seen.serve(lambda: seen.page.click("#restart"), "chapter 5")
    seen.send("A", tokens=3)
    seen.until_done("A")


def test_text_is_text_also_in_the_exported_file(seen, chromium, tmp_path):
    seen.chapter(4)
    seen.send("A", prompt=HOSTILE, tokens=20)
    seen.until_done("A")
    seen.wait(
        "() => document.querySelector('#clients output.answer').textContent.includes('<b id=hit>')"
    )
    assert "<b id=hit>" in seen.page.text_content("#request")
    file = tmp_path / "classroom.html"
    with seen.page.expect_download() as told:
        seen.page.click("#export")
    told.value.save_as(file)
    offline = chromium.new_context(offline=True).new_page()
    asked = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    offline.wait_for_function("page.player !== null")
    offline.evaluate("page.player.jump(1e9), draw(0), drawWords(page.run, 0)")
    assert "20 tokens" in offline.text_content("#words [data-lane='A']")
    assert "<b id=hit>" in offline.text_content("#request") and asked == [file.as_uri()]
    for page in (seen.page, offline):
        assert page.evaluate("window.hit") is None
        assert page.locator("#hit, img, [onerror]").count() == 0
    offline.context.close()


def test_a_recording_is_played_step_by_step(seen):
    seen.play(4, "4-first-word-against-last-word")
    whole = seen.words("A")
    seen.page.click("#replay")
    seen.wait("() => page.player?.next > 0")
    seen.page.click("#step")
    assert not seen.page.evaluate("page.player.playing")
    before = seen.page.evaluate("page.player.next")
    seen.page.click("#step")
    assert seen.page.evaluate("page.player.next") > before
    assert " of " in seen.page.text_content("#stepped")
    seen.page.evaluate("while (!page.player.over) page.player.step()")
    seen.page.evaluate("drawWords(page.run, 0)")
    assert seen.words("A") == whole
    seen.page.click("#back")
    seen.wait("() => !page.player && page.run.lanes.length === 2")


def test_other_programs_appear_on_the_time_line(seen, demo):
    seen.chapter(5)
    body = {"prompt": "hey", "max_tokens": 3}
    httpx.post(f"{demo.url}/v1/completions", json=body, timeout=60).raise_for_status()
    seen.wait("() => page.run.lanes.some(lane => lane.name === 'python-httpx' && lane.over)")
    seen.page.evaluate("drawWords(page.run, 0)")
    assert "status 200" in seen.words("python-httpx")


def test_twenty_clients_and_ten_thousand_events(seen):
    seen.pace("full speed")
    seen.chapter(5)
    for number in range(4, 21):
        seen.page.click("#more")
        seen.wait("([count]) => page.cards.size >= count", number)
    names = seen.page.evaluate("[...page.cards.keys()].slice(0, 20)")
    for name in names:
        card = seen.page.locator(f"[aria-label='Client {name}']")
        card.get_by_label("max_tokens").fill("200")
    before = seen.page.evaluate("timeline.drawn")
    seen.page.click("#send-all")
    seen.until_done(*names)
    assert seen.page.evaluate("page.run.count") > 10_000
    assert [seen.number(r"(\d+) tokens,", name) for name in names] == [200] * 20
    assert seen.count("most") == 1 and seen.count("nobody") == 0
    assert seen.page.evaluate("timeline.drawn") > before
    assert seen.page.evaluate(ELEMENTS) < 2500
    strokes = seen.page.evaluate(STROKES)
    assert 100 < strokes < 5000
    seen.pace("50")


def test_it_is_used_by_keyboard_and_has_names(seen):
    seen.play(5, "5-closed-and-let-go")
    seen.page.focus("#timeline")
    for key, moved in (("ArrowLeft", False), ("End", True)):
        seen.page.keyboard.press(key)
        pressed = seen.page.get_attribute("#follow", "aria-pressed")
        assert (pressed == "true") is moved
    unnamed = seen.page.evaluate(
        "[...document.querySelectorAll('button, input, select')].filter(e =>"
        " !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).length"
    )
    assert unnamed == 0
    assert seen.page.get_attribute("#timeline", "role") == "img"


@contextmanager
def elsewhere(folder):
    """Another site in the same browser: a folder's files on another port."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


ATTACK = """
<form method=post enctype=text/plain target=frame action=PAGE/do>
<input name='{"do": "kill", "x": "' value='"}'></form>
<iframe name=frame></iframe><iframe id=whole src=PAGE/></iframe>
<script>
const told = {json: fetch("PAGE/do", {method: "POST", body: '{"do": "kill"}',
    headers: {"Content-Type": "application/json", "X-Classroom": "1"}}),
  plain: fetch("PAGE/do", {method: "POST", mode: "no-cors", body: '{"do": "kill"}'}),
  menus: fetch("PAGE/menus")};
document.forms[0].submit();
Promise.allSettled(Object.values(told)).then(all => {
  window.results = all.map(one => one.status + " " + (one.value?.type ?? ""));
});
</script>
"""


def test_a_page_elsewhere_can_do_nothing(seen, chromium, demo, tmp_path):
    seen.runs()
    pid = seen.page.get_attribute("#server", "data-pid")
    (tmp_path / "index.html").write_text(ATTACK.replace("PAGE", demo.page))
    with elsewhere(tmp_path) as site:
        page = chromium.new_page()
        page.goto(site)
        page.wait_for_function("window.results")
        assert page.evaluate("results") == ["rejected "] * 3
        page.wait_for_load_state("networkidle")
        page.close()
    answer = httpx.get(f"{demo.url}/health", timeout=60)
    assert answer.status_code == 200
    assert seen.page.get_attribute("#server", "data-pid") == pid
    assert seen.page.evaluate("document.body.dataset.server") == "running"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ink_and_paper_differ(chromium, demo, scheme):
    page = chromium.new_page(color_scheme=scheme)
    page.goto(demo.page)
    ink, paper = page.evaluate("[colour('--ink'), colour('--paper')]")
    page.close()
    assert (ink, paper) == {"light": ("#111", "#fff"), "dark": ("#f2f2f2", "#101216")}[scheme]

"""What the notebooks stand on: asking, drawing, serving, and what each lesson measures with."""

import asyncio
import importlib.util
import json
import time
from importlib import metadata

import matplotlib
import pytest

from chapters.core.trace import Event, peaks
from chapters.course.live import BEAT
from chapters.course.paths import ROOT
from chapters.lessons import callers, drawing, running, stages, traces, waiting, wire
from chapters.lessons.asking import Answer, Read, ask, raw, request_bytes
from chapters.lessons.programs import Website, application

matplotlib.use("agg")

HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def answer(*pieces, sent=10.0):
    """An answer whose reads came half a second apart."""
    return Answer(sent, [Read(sent + (n + 1) / 2, piece) for n, piece in enumerate(pieces)])


def event(time, kind, uid=None, lane=None, **data):
    return Event(time, kind, uid or lane, lane, data)


def one_request(lane="request-1", uid="7", start=10.0):
    """The trace of a request of two tokens, a second for each thing that happens."""
    kinds = [
        ("received", None, lane, {"method": "POST", "path": "/v1/completions"}),
        ("submitted", uid, lane, {}),
        ("admitted", uid, None, {}),
        ("prefill", uid, None, {"tokens": 3}),
        ("token", uid, None, {"token": 65}),
        ("delivered", uid, None, {}),
        ("decode", uid, None, {}),
        ("token", uid, None, {"token": 66}),
        ("kv freed", uid, None, {"tokens": 4}),
        ("delivered", uid, None, {}),
        ("answered", None, lane, {"status": 200}),
        ("finished", None, lane, {}),
    ]
    return [
        event(start + number, kind, its_uid, its_lane, **data)
        for number, (kind, its_uid, its_lane, data) in enumerate(kinds)
    ]


# Asking


@pytest.mark.parametrize("cut", [1, 20, len(HEAD), len(HEAD) + 2, len(HEAD) + 6])
def test_a_chunked_body_is_whole_wherever_the_reads_were_cut(cut):
    message = HEAD + b'6\r\n{"a": \r\nA;x=y\r\n"1\\r\\n2"}\n\r\n0\r\n\r\n'
    got = answer(message[:cut], message[cut:])
    assert got.body == b'{"a": "1\\r\\n2"}\n'
    assert got.json == {"a": "1\r\n2"} and got.status == 200
    assert got.headers == {"transfer-encoding": "chunked"}
    assert (got.first, got.took, got.ended) == (0.5, 1.0, 11.0)


@pytest.mark.parametrize("choice", [{"text": "hi"}, {"message": {"content": "hi"}}])
def test_a_body_of_known_length_and_its_text(choice):
    body = json.dumps({"choices": [choice]}).encode()
    assert answer(b"HTTP/1.1 400 Bad\r\nA: b\r\n\r\n", body).text == "hi"


def test_the_bytes_of_a_request():
    lines = request_bytes({"prompt": "é"}, x_request_id="a").split(b"\r\n")
    assert lines[0] == b"POST /v1/completions HTTP/1.1" and lines[-3:-1] == [
        b"X-Request-Id: a",
        b"",
    ]
    assert f"Content-Length: {len(lines[-1])}".encode() in lines


def test_what_a_server_answers_and_a_picture_of_it():
    done = callers.run(callers=2, tokens=2, chapter=3)
    assert [a.status for a in (*done.answers, done.health)] == [200] * 3
    drawn = traces.rows(done.events, [*done.answers, done.health])
    assert [row.events[0].data["method"] for row in drawn] == ["POST", "POST", "GET"]
    assert "KV caches held at once" in callers.table({"turns": done})


# Drawing


def test_lanes_tie_the_workers_events_to_their_http_request():
    events = [*one_request(), event(30.0, "received", lane="request-2", method="GET")]
    assert [[e.kind for e in own] for own in traces.lanes(events).values()] == [
        [e.kind for e in one_request()]
    ]


def test_passes_begin_and_end():
    assert traces.passes(one_request()) == [(13.0, 14.0, "prefill"), (16.0, 17.0, "decode")]
    assert traces.passes(one_request()[:4]) == []


def test_a_row_is_as_long_as_the_server_or_as_the_client_saw_it():
    (row,) = traces.rows(one_request())
    assert (row.began, row.ended) == (10.0, 21.0)
    named = answer(b'HTTP/1.1 200 OK\r\n\r\n{"id": "cmpl-7"}', sent=5.0)
    (row,) = traces.rows(one_request(), [named])
    assert (row.began, row.ended, len(row.events)) == (5.0, 5.5, 12)


def test_a_refused_request_is_found_by_its_times():
    refused = [
        event(1.2, "received", lane="request-9", method="POST"),
        event(1.4, "finished", lane="request-9"),
    ]
    early, late = (
        answer(b"HTTP/1.1 400 B\r\n\r\n", sent=0),
        answer(b"HTTP/1.1 400 B\r\n\r\n", sent=1),
    )
    found = traces.rows([*refused, *one_request()], [early, late])
    assert [row.events for row in found] == [[], refused]


def test_two_servers_traces_become_one():
    events = traces.merged(one_request(), one_request(start=10.5))
    assert [e.time for e in events] == sorted(e.time for e in events)
    assert (peaks(events).unfinished, peaks(events).passes) == (2, 2)
    assert list(traces.lanes(events)) == ["1:request-1", "2:request-1"]


def test_a_loop_is_blocked_from_its_last_sign_of_life():
    events = [event(1.0, "loop blocked"), event(2.0, "loop free"), event(3.0, "loop blocked")]
    assert traces.blocked([*events, event(4.0, "token")]) == [(1 - BEAT, 2.0), (3 - BEAT, 4.0)]


def test_a_time_line_says_whose_it_is_and_has_the_three_counters():
    asked = [answer(b'HTTP/1.1 200 OK\r\n\r\n{"id": "cmpl-7"}', sent=5.0)]
    figure = drawing.timeline(one_request(), "One", "ours", ["A"], asked=asked, loop=True)
    said = figure.get_supxlabel()
    assert said.endswith("(ours)") and "at one instant: 1" in said
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["A", "event loop"]
    assert axes.get_xlabel() == "time in seconds"


def test_a_picture_has_a_text_for_those_who_do_not_see_it(monkeypatch):
    shown = []
    monkeypatch.setattr(drawing, "display", lambda data, **rest: shown.append((data, rest)))
    drawing.show(drawing.timeline(one_request(), "One", "ours"), alt="a bar")
    ((data, rest),) = shown
    assert data["text/plain"] == "a bar" and rest["metadata"]["image/png"] == {"alt": "a bar"}


# Serving


def test_use_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="passing, mine, reference, not 'yours'"):
        running.use("yours")


def test_a_chapter_is_graded_anew_only_when_a_file_of_it_has_changed(monkeypatch):
    graded = []
    monkeypatch.setattr(
        running, "passing", lambda chapter: graded.append(chapter.number) or ["1.1"]
    )
    monkeypatch.setattr(running, "_graded", {})
    assert running.own_tasks(1) == running.own_tasks(1) == ["1.1"] and graded == [1]
    running._graded[1] = (None,) * 5, []
    assert running.own_tasks(1) == ["1.1"] and graded == [1, 1]


def test_nothing_passes_in_an_untouched_chapter():
    assert running.passing(running.course()[1]) == []


def test_the_switch(monkeypatch):
    monkeypatch.setattr(running, "_whose", "passing")
    running.use("reference")
    assert running.own_tasks(1) == []
    running.use("mine")
    assert running.own_tasks(1) == ["1.1", "1.2", "1.3", "1.4", "1.5"]


def test_the_checks_run_from_a_notebook(capsys):
    running.check(1)
    assert "0/100: nothing attempted yet, start with Task 1.1" in capsys.readouterr().out


# Where the notebooks start


@pytest.fixture
def start():
    spec = importlib.util.spec_from_file_location("start", ROOT / "notebooks" / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_a_foreign_python_lacks_never_includes_torch(start, monkeypatch):
    def lacking(package):
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(start.metadata, "version", lacking)
    names = {pin.partition("==")[0] for pin in start.missing()}
    assert {"starlette", "transformers", "gguf", "rich"} <= names
    assert not names & {"torch", "jupyter", "matplotlib"}
    assert all("==" in pin and " " not in pin for pin in start.missing())


def test_nothing_is_missing_here(start):
    assert start.missing() == []


# What the lessons measure with


def test_the_parts_of_a_message():
    shown = wire.labelled(request_bytes({"prompt": "Hi"})).splitlines()
    assert shown[0].split(None, 2)[:2] == ["request", "line"] and shown[1].startswith("header ")
    assert shown[-2:] == ["blank line", 'body          {"prompt": "Hi"}']
    assert wire.labelled(HEAD).startswith("status line   HTTP/1.1 200 OK")


def test_the_story_of_a_request_has_its_silent_stages(capsys):
    got = answer(b'HTTP/1.1 200 OK\r\n\r\n{"id": "cmpl-7"}', sent=9.0)
    written = Event(20.5, "written", "request-1", "request-1", {"bytes": 9})
    lines = stages.story(got, [*one_request(), written])
    kinds = [line.kind for line in lines]
    assert kinds[:5] == ["sent", "read", "received", "(between) 1", "submitted"]
    assert "written" not in kinds
    assert kinds[7:9] == ["token", "(between) 2"]
    stages.label(lines, {"sent": 1, "received": 3})
    said = capsys.readouterr().out
    assert "1 client       yes" in said and "3 tokenizer    look again" in said
    assert "1 of 14 kinds" in said


def test_all_labels_of_the_model_answer_are_right(capsys):
    lines = stages.story(answer(b'{"id": "cmpl-7"}', sent=9.0), one_request())
    stages.label(lines, {kind: min(right) for kind, right in stages.RIGHT.items()})
    assert "14 of 14 kinds" in capsys.readouterr().out


def test_an_event_set_from_another_thread_wakes_nobody_before_the_alarm(monkeypatch):
    for safely, alarm in ((True, 30), (False, 1)):
        monkeypatch.setattr(waiting, "ALARM", alarm)
        assert (waiting.woken_after(safely=safely) < alarm / 2) is safely


def test_a_long_call_keeps_the_lock_and_a_sleeper_does_not():
    beside_a_sleeper = waiting.steps_beside(lambda: time.sleep(0.1))
    assert waiting.steps_beside(lambda: sum(range(5_000_000))) < beside_a_sleeper / 2
    assert 0 < waiting.busy(lambda: waiting.compute(0.01), threads=2, tries=2) < 1.5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda question: question, "must be an `async def`"),
        (lambda question: waiting.slow_model(question), "must be an `async def`"),
    ],
)
def test_an_answer_that_is_no_coroutine_function(answer, said, capsys):
    asyncio.run(waiting.judge(answer))
    assert said in capsys.readouterr().out


def test_answers_that_block_and_that_do_not(capsys):
    async def blocks(question):
        return waiting.slow_model(question)

    async def forgets_to_await(question):
        return None

    async def right(question):
        return await asyncio.to_thread(waiting.slow_model, question)

    for tried in (blocks, forgets_to_await, right):
        asyncio.run(waiting.judge(tried))
    verdicts = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert verdicts == ["not yet", "not yet", "done"]


def test_programs_around_a_service():
    with running.LiveServer(3) as service, Website(service) as website:
        page = raw(website, request_bytes(b"", "/", "GET"))
        assert page.status == 200 and page.body.startswith(b"<h1>Say he")
        done = application(service, "why")
        assert ask(service, path="/health").status == 200
    assert [line.split(":")[0] for line in website.told] == [
        "as a server", "as a client", "as a client", "as a server",
    ]  # fmt: skip
    assert done["answer"].startswith("why 1") and done["megabytes"] > 0

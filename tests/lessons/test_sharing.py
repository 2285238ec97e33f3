"""What the lessons on sharing a server stand on: tapes, counters, orders, waiting that ends."""

import math
import sys
import threading

import pytest

from chapters.core import Sampling
from chapters.core.trace import Event, watching
from chapters.lessons import batching
from chapters.lessons.crossing import carried_after
from chapters.lessons.own import layer
from chapters.lessons.parallel import counters, merged, passes_of_all, seconds, started
from chapters.lessons.patience import within
from chapters.lessons.sides import compare
from chapters.lessons.tape import interleavings, replies, said


@pytest.fixture(autouse=True)
def nothing_stays_grafted():
    finders, modules = list(sys.meta_path), dict(sys.modules)
    yield
    sys.meta_path[:] = finders
    for name in [n for n in sys.modules if n.startswith("chapters.ch0")]:
        del sys.modules[name]
    sys.modules.update({n: m for n, m in modules.items() if n.startswith("chapters.ch0")})


def test_there_are_70_tapes_of_four_and_four_and_each_keeps_both_orders():
    a, b = replies("A", 4), replies("B", 4)
    tapes = interleavings(a, b)
    assert len({said(tape) for tape in tapes}) == 70
    for tape in tapes:
        assert [r for r in tape if r.uid == "A"] == a
        assert [r for r in tape if r.uid == "B"] == b


def test_only_the_last_reply_of_a_request_says_that_it_is():
    assert [reply.last for reply in replies("A", 3)] == [False, False, True]


def run(*passes, lane, began, ended):
    """The events of one request with these forward passes: (start, end)."""
    post = {"method": "POST", "path": "/"}
    events = [Event(began, "received", lane, lane, post), Event(ended, "finished", lane, lane)]
    for start, end in passes:
        events += [Event(start, "decode", lane, None), Event(end, "token", lane, None)]
    return sorted(events, key=lambda event: event.time)


def test_the_counters_of_two_processes_count_both():
    one = run((1, 2), (2, 3), lane="request-1", began=0, ended=4)
    other = run((1.5, 2.5), lane="request-1", began=0.5, ended=3)
    assert counters(one) == "1/1/1"
    both = merged(one, other)
    assert counters(both) == "2/2/1"
    assert len(passes_of_all(both)) == 3
    assert seconds(both) == 2


def test_within_gives_what_came_and_none_for_what_did_not():
    never = threading.Event()
    try:
        assert within(0.2, lambda: 1, never.wait) == [1, None]
    finally:
        never.set()


def test_started_ends_what_has_started_when_another_start_fails():
    class Process:
        ended = False

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.ended = True

    fine = Process()
    with pytest.raises(ZeroDivisionError), started(lambda: fine, lambda: 1 / 0):
        pytest.fail("the block was entered")
    assert fine.ended


def test_a_bridge_that_does_not_wake_the_loop_is_carried_by_its_timer():
    bridge = layer(3).bridge.Bridge

    class NoDoor(bridge):
        def post(self, replies):
            self.loop.call_soon(self.deliver, replies)

    assert carried_after(bridge, patience=30) < 15
    assert carried_after(NoDoor, patience=3) > 1.5


def test_a_bridge_that_debug_mode_refuses_carries_nothing(capsys):
    class NoDoor(layer(3).bridge.Bridge):
        def post(self, replies):
            self.loop.call_soon(self.deliver, replies)

    assert carried_after(NoDoor, patience=0.3, debug=True) == math.inf
    assert "Non-thread-safe operation" in capsys.readouterr().out


def test_labels_are_compared_only_where_there_are_some(capsys):
    compare({"received": ("?", "?"), "admitted": ("?", "worker")})
    assert capsys.readouterr().out == "nothing is labelled yet\n"
    compare({"admitted": ("scheduler", "worker"), "token": ("scheduler", "worker")})
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("right") and second.endswith("look again")


def test_layer_brings_the_files_of_all_chapters_so_far():
    found = layer(2)
    assert found.whose == "chapter 2, the reference's"
    registry = found.registry.Registry(found.state.RequestState)
    assert registry.deliver(replies("A", 1, uid=registry.open().uid)[0])


def test_a_batch_says_what_each_prompt_says_alone(embedded):
    prompts = [f"The capital of {place} is" for place in ("France", "Spain", "Italy")]
    with watching() as watch:
        texts = batching.generate(embedded, prompts, 4)
    greedy = Sampling(max_tokens=4, temperature=0, ignore_eos=True)
    alone = [embedded.decode([*embedded.generate(embedded.encode(p), greedy)]) for p in prompts]
    assert texts == alone
    assert counters(watch) == "3/1/3"
    assert len(passes_of_all(watch)) == 4

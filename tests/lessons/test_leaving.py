"""Clients that leave, and one that stays: what the figures count, and that they are drawn."""

import matplotlib
import pytest

from chapters.core.trace import Event
from chapters.lessons.leaving import Left, Stopped, happened, spent, three_moments
from chapters.lessons.slow import Held, piled_up
from chapters.lessons.waits import counted

matplotlib.use("agg")

KINDS = ["prefill", "token", "decode", "token", "decode", "token", "kv freed"]


def trace(*kinds, uid="u"):
    return [Event(float(n), kind, uid, None, {}) for n, kind in enumerate(kinds)]


def test_passes_for_nobody_are_those_begun_after_the_client_left():
    run = Left("a", 2.5, trace(*KINDS))
    assert run.late == [(4.0, 5.0, "decode")]
    assert run.freed == 3.5
    axes = spent([run], "title", "whose").axes[0]
    assert [text.get_text() for text in axes.texts] == [" 3 passes, 1 for nobody"]


def test_what_happened_in_a_line():
    assert happened(trace(*KINDS), ("decode", "kv freed")) == "decode → decode → kv freed"


def test_the_counters_are_the_most_of_all_traces():
    two = sorted(
        trace("prefill", "token") + trace("prefill", "token", uid="v"), key=lambda e: e.time
    )
    assert "one instant: 2" in counted(trace("prefill"), two)


@pytest.mark.parametrize("asked", [1.5, 3.5])
def test_three_moments_are_drawn(asked):
    events = [Event(2.0, "kv bytes", None, None, {"bytes": 1000}), *trace(*KINDS)]
    figure = three_moments(Stopped(1.0, 1.4, asked, 3.0, 4.0, events), "title", "whose")
    said = [text.get_text() for text in figure.axes[0].texts]
    assert "stop pressed: 400 ms" in said and "freed: 3000 ms" in said


def test_what_waits_where():
    held = Held([(1.0, 100), (2.0, 300)], [(1.5, 80), (4.0, 300)], [(3.5, 300)], 3.0)
    assert held.most() == (220, 80)
    assert Held([(1.0, 5)], [(9.0, 5)], [(9.0, 5)], 3.0).most() == (5, 0)
    piled_up(held, "title", "whose")

"""Each demonstration's button, and what the time-line shows for it."""

from __future__ import annotations

import re

import pytest

from chapters.classroom.demos import DEMOS

TOKENS = r"(\d+) tokens,"
NOBODY = r"(\d+) passes for nobody"


def blocked(seen) -> bool:
    return "never" not in seen.words("loop")


def b_waits_for_a(seen):
    assert blocked(seen)
    for other in "BC":
        assert seen.when(other)["sent"] < seen.when("A")["finished"]
        assert seen.when(other)["received"] >= seen.when("A")["finished"]


def each_its_own(seen):
    assert "aaaaaaaa" in seen.answer("A") and "bbbbbbbb" in seen.answer("B")
    assert seen.wire().lower().count("x-request-id: my-request") == 1


def one_at_a_time(seen):
    assert [seen.number(TOKENS, name) for name in "ABCDEFGHIJ"] == [6] * 10
    assert seen.page.evaluate("page.run.mostUnfinished") == 10
    assert seen.count("most") == 1


def short_one_first(seen):
    assert seen.when("B")["finished"] < seen.when("A")["finished"]
    assert seen.number(TOKENS, "A") == 24 and seen.number(TOKENS, "B") == 4


def a_reads_first(seen):
    first = seen.page.evaluate(
        "['A', 'B'].map(name => page.run.wires.get(name).segments.find("
        "s => s.kind === 'event').time)"
    )
    assert first[0] < first[1]
    assert [seen.number(TOKENS, name) for name in "AB"] == [16, 16]
    for client, streams in (("A", True), ("B", False)):
        card = seen.page.locator(f"[aria-label='Client {client}']")
        assert card.get_by_label("max_tokens").input_value() == "16"
        assert card.get_by_label("stream").is_checked() is streams
    labels = seen.page.evaluate(
        "page.run.wires.get('A').segments.filter(s => s.text !== undefined)"
        ".map(s => source(s, page.run.laneOf('A'), true))"
    )
    assert len(labels) == 16 and labels[0] == "token 1 “C”" and labels[15].startswith("token 16")


def all_for_nobody(seen):
    assert seen.number(TOKENS, "A") == 32
    assert seen.count("nobody") == seen.number(NOBODY, "A") > 1
    assert "memory freed" in seen.words("A")


def let_go(seen):
    when = seen.when("A")
    assert when["client gone"] <= when["abort asked"] <= when["abort done"]
    assert "memory freed" in when and seen.count("kv") == 0
    assert seen.number(TOKENS, "A") < 32


def done_before_it_is_read(seen):
    assert seen.number(TOKENS, "A") == 12
    sips = "page.run.wires.get('A').segments.at(-1).time"
    assert seen.when("A")["finished"] + 1 < seen.page.evaluate(sips)
    assert len(seen.page.evaluate("page.run.lanes")) == 1


def five_passes_at_once(seen):
    assert seen.count("most") == 5


def in_turns_and_blocked(seen):
    assert blocked(seen)
    assert seen.when("B")["received"] < seen.when("A")["finished"]


def says_stop(seen):
    assert seen.number(TOKENS, "A") == 4 and '"finish_reason":"stop"' in seen.wire()


def error_with_200(seen):
    assert "status 200" in seen.words("A") and '"error"' in seen.wire()
    assert "prefill" not in seen.words("A")


def swapped(seen):
    assert "bbbb" in seen.answer("A") and "aaaa" in seen.answer("B")


def too_much(seen):
    wire = seen.wire()
    assert int(re.search(r'"completion_tokens":(\d+)', wire)[1]) > 8


def one_gets_the_others(seen):
    assert "finished" in seen.words("B")
    assert "finished" not in seen.words("A") and seen.answer("A") == ""


def b_is_last(seen):
    assert seen.when("B")["finished"] >= seen.when("A")["finished"]


def handler_blocks(seen):
    assert blocked(seen)
    for name in "AB":
        assert "status 500" in seen.words(name)


def a_never_hears(seen):
    assert "finished" in seen.words("B")
    assert "client gone" in seen.words("A") and seen.answer("A") == ""


def all_at_the_end(seen):
    texts = seen.page.evaluate(
        "page.run.wires.get('A').segments.filter(s => s.text !== undefined).length"
    )
    assert texts == 1 and seen.number(TOKENS, "A") == 16


def broken_characters(seen):
    assert "\ufffd" in seen.answer("A")


def no_spaces(seen):
    assert seen.answer("A") == "Hey12345"


def no_event_ends(seen):
    done = "page.run.wires.get('A').segments.filter(s => s.kind === 'event' && s.done).length"
    assert seen.page.evaluate(done) <= 1 and "data:" in seen.wire()


def ignored(seen):
    all_for_nobody(seen)
    assert "abort asked" in seen.words("A") and seen.count("discarded") > 1


def one_more(seen):
    assert seen.when("A")["abort asked"] < seen.when("A")["memory freed"]
    assert seen.number(TOKENS, "A") < 32


def others_starve(seen):
    assert seen.number(TOKENS, "D") == 12 and "finished" in seen.words("D")
    for stayed in "BC":
        assert seen.number(TOKENS, stayed) < 24 and "finished" not in seen.words(stayed)
        assert seen.when(stayed)["memory freed"] < seen.when("D")["finished"]


def memory_stays(seen):
    assert "memory held" in seen.words("A") and "abort done" in seen.words("A")
    assert seen.count("kv") > 0


EXPECTED = {
    "1-b-waits-for-a": b_waits_for_a,
    "2-one-name-two-requests": each_its_own,
    "3-ten-accepted-one-computed": one_at_a_time,
    "3-taking-turns": short_one_first,
    "4-first-word-against-last-word": a_reads_first,
    "4-closed-but-still-computing": all_for_nobody,
    "5-closed-and-let-go": let_go,
    "5-a-reader-in-no-hurry": done_before_it_is_read,
    "1-escape_to_thread": five_passes_at_once,
    "1-lets_others_in_between_tokens": in_turns_and_blocked,
    "1-always_stop": says_stop,
    "1-errors_with_status_200": error_with_200,
    "2-next_reply_is_mine": swapped,
    "2-everybody_hears_everything": too_much,
    "2-client_id_is_the_uid": one_gets_the_others,
    "3-first_come_first_served": b_is_last,
    "3-blocks_in_the_handler": handler_blocks,
    "3-mailbox_on_self": a_never_hears,
    "4-says_all_at_the_end": all_at_the_end,
    "4-decodes_each_token_alone": broken_characters,
    "4-strips_every_piece": no_spaces,
    "4-no_empty_line": no_event_ends,
    "5-listener_is_never_started": all_for_nobody,
    "5-abort_is_ignored": ignored,
    "5-drops_at_the_next_token": one_more,
    "5-everybody_is_dropped": others_starve,
    "5-cache_is_left_to_the_collector": memory_stays,
    "5-only_streams_are_watched": all_for_nobody,
}


@pytest.mark.parametrize("name", sorted(DEMOS, key=lambda name: DEMOS[name].chapter))
def test_what_the_time_line_shows(seen, name):
    demo = DEMOS[name]
    slow = name == "1-lets_others_in_between_tokens"  # a pass must be seen to block
    seen.pace("10" if slow else "50")
    seen.play(demo.chapter, name)
    heading = seen.page.text_content("#caption h2").strip("“”")
    assert (heading, seen.page.locator("#caption p").count()) == (demo.title, 2)
    EXPECTED[name](seen)


def test_each_fault_that_is_offered_is_seen_somewhere():
    assert set(EXPECTED) == set(DEMOS)

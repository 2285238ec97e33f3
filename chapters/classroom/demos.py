"""The scripted demonstrations: the lessons' main experiments, and one for each chosen fault.

A demonstration is a server (a chapter's, perhaps with a wrong answer in it), a few steps of
clients (`plays`), and two lines that say what to watch.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from chapters.classroom import plays
from chapters.classroom.stage import Stage


@dataclass(frozen=True)
class Demo:
    """One button.

    chapter: whose menu it is in. title: on the button; of a fault, what the code believes, in
    plain words. watch: two lines. wrong: the fault's name in `tests/wrong/chapter_N`. on: the
    chapter whose server shows it, where that is a later one. scripted: it needs the scripted core,
    which says what was said to it.
    """

    title: str
    chapter: int
    watch: tuple[str, str]
    play: Callable[[Stage], Awaitable[None]]
    wrong: str | None = None
    on: int | None = None
    scripted: bool = False

    @property
    def id(self) -> str:
        words = re.findall("[a-z]+", self.title.lower())
        return f"{self.chapter}-{self.wrong or '-'.join(words)}"


MAIN = [
    Demo(
        "B waits for A",
        1,
        (
            "The event loop's lane: it is blocked for as long as A is computed.",
            "B and /health have been sent, and the server does not even know.",
        ),
        plays.long_short_health,
    ),
    Demo(
        "One name, two requests",
        2,
        (
            "A and B send the same X-Request-Id; the wire shows that each gets it back.",
            "Inside, each has a name of its own, so no reply goes astray. Still, B waits for A.",
        ),
        plays.same_name,
    ),
    Demo(
        "Ten accepted, one computed",
        3,
        (
            "Ten lanes begin at once, and the event loop is never blocked.",
            "The counters: ten are unfinished, and never more than one forward pass at a time.",
        ),
        plays.ten_at_once,
    ),
    Demo(
        "Taking turns",
        3,
        (
            "A began first and wants 24 tokens, B wants 4: look who ends first.",
            "One token for A, one for B: while both run, each gets half of the speed.",
        ),
        plays.long_and_short,
    ),
    Demo(
        "First word against last word",
        4,
        (
            "A streams, B waits for the whole. Who can read first, and who is done first?",
            "The wire: A's events come one by one, each from its token; B's bytes come at once.",
        ),
        plays.stream_and_whole,
    ),
    Demo(
        "Closed but still computing",
        4,
        (
            "A vanishes after three tokens. Its lane goes on, hatched: nobody will read that.",
            "Passes spent on nobody rise, and the memory is held to the end.",
        ),
        plays.leaves_early,
    ),
    Demo(
        "Closed and let go",
        5,
        (
            "The same, with chapter 5: abort asked, abort done, memory freed.",
            "The pass that was under way ends; at most one more is begun for nobody.",
        ),
        plays.leaves_early,
    ),
    Demo(
        "A reader in no hurry",
        5,
        (
            "A reads a few bytes at a time. The server computes and delivers at full speed.",
            "Its lane is finished long before A has read: somebody holds these bytes meanwhile.",
        ),
        plays.reads_slowly,
    ),
]

FAULTS = [
    Demo(
        "Each caller gets a thread of its own",
        1,
        (
            "The loop is free. But five forward passes are under way at one instant,",
            "and five KV caches are held: with a real model, all of them slow each other down.",
        ),
        plays.five_at_once,
        "escape_to_thread",
    ),
    Demo(
        "A pause between two tokens lets the others in",
        1,
        (
            "The requests take turns now, and still nobody is served in between:",
            "every single pass blocks the loop, so /health waits for one after the other.",
        ),
        plays.long_short_health,
        "lets_others_in_between_tokens",
    ),
    Demo(
        "Every answer has come to its end",
        1,
        (
            "A's answer was cut off after 4 tokens.",
            "The wire: finish_reason says “stop”, so A takes the half for the whole.",
        ),
        plays.cut_off,
        "always_stop",
    ),
    Demo(
        "An error is a 200 with a message in it",
        1,
        (
            "A asks for -1 tokens.",
            "The lane says 200, as if it had been answered; only the body knows better.",
        ),
        plays.bad_request,
        "errors_with_status_200",
    ),
    Demo(
        "Replies go to whoever asks first",
        2,
        (
            "A said aaaa, B said bbbb. Read both answers: each is given the other's.",
            "One request at a time hides it; two that take turns, in chapter 3's server, show it.",
        ),
        plays.two_questions,
        "next_reply_is_mine",
        on=3,
        scripted=True,
    ),
    Demo(
        "Everybody hears everything",
        2,
        (
            "Each answer is made of both requests' tokens: 16 tokens were computed,",
            "and both clients are given all of them until somebody's last one.",
        ),
        plays.two_questions,
        "everybody_hears_everything",
        on=3,
        scripted=True,
    ),
    Demo(
        "The client's id will do as our own",
        2,
        (
            "A and B send the same X-Request-Id, and so are one and the same inside.",
            "B's request takes A's place: B is answered, and A waits for ever.",
        ),
        plays.same_name_at_once,
        "client_id_is_the_uid",
        on=3,
        scripted=True,
    ),
    Demo(
        "First come, first served",
        3,
        (
            "A wants 24 tokens, B wants 4, and B comes second.",
            "B waits for all of A. No lane is blocked: it is only unfair.",
        ),
        plays.long_and_short,
        "first_come_first_served",
    ),
    Demo(
        "With async def, waiting is harmless",
        3,
        (
            "The handler sleeps while it waits: the loop is blocked, and so are the replies.",
            "A and B get none, only an error, while the worker goes on with their tokens.",
        ),
        plays.long_short_health,
        "blocks_in_the_handler",
    ),
    Demo(
        "An attribute of the answer belongs to one request",
        3,
        (
            "The mailbox is kept where all requests share it, so B's replaces A's.",
            "A's tokens are computed and delivered, and A never hears of them.",
        ),
        plays.one_hears_nothing,
        "mailbox_on_self",
    ),
    Demo(
        "Only a whole answer is sure",
        4,
        (
            "A asks for a stream and gets one: all of it at the end.",
            "The wire: no text comes before the last token is there.",
        ),
        plays.stream_and_whole,
        "says_all_at_the_end",
    ),
    Demo(
        "A token is a piece of text",
        4,
        (
            "A says 日本語: each of these characters is three tokens.",
            "The wire, and A's answer: half a character is no character.",
        ),
        plays.other_letters,
        "decodes_each_token_alone",
        scripted=True,
    ),
    Demo(
        "White space around a text means nothing",
        4,
        (
            "The model says “Hey 1 2 3”; a number's token brings the space before it along.",
            "A reads Hey123.",
        ),
        plays.wants_a_stream,
        "strips_every_piece",
        scripted=True,
    ),
    Demo(
        "A line is an event",
        4,
        (
            "The empty line after each event is missing.",
            "The wire: bytes come, and no event ever ends. A client that is right reads nothing.",
        ),
        plays.wants_a_stream,
        "no_empty_line",
    ),
    Demo(
        "A function that is there is a function that runs",
        5,
        (
            "The listener for disconnects exists, and nobody has started it.",
            "No abort is asked for; all passes after A has left are spent on nobody.",
        ),
        plays.leaves_early,
        "listener_is_never_started",
    ),
    Demo(
        "Letting go is enough, nobody need be told",
        5,
        (
            "The abort is asked for and taken out of the inbox, and nothing comes of it.",
            "Replies that nobody owns are discarded one by one, to the last token.",
        ),
        plays.leaves_early,
        "abort_is_ignored",
    ),
    Demo(
        "The abort waits for the next token",
        5,
        (
            "The abort is noted, and looked at after the next turn.",
            "One pass is made after it has arrived: small here, and a whole prefill elsewhere.",
        ),
        plays.leaves_early,
        "drops_at_the_next_token",
    ),
    Demo(
        "An abort stops the worker",
        5,
        (
            "A vanishes, and B and C, who have stayed, get no token more.",
            "Only D, who comes later, is served. B and C wait for ever.",
        ),
        plays.one_goes,
        "everybody_is_dropped",
    ),
    Demo(
        "What nobody uses is given back by itself",
        5,
        (
            "A's request is dropped and its KV cache stays: the band under its lane does not end.",
            "KV tokens held do not go back to zero, though nobody is served any more.",
        ),
        plays.leaves_for_good,
        "cache_is_left_to_the_collector",
    ),
    Demo(
        "Only a stream can lose its reader",
        5,
        (
            "A waits for a whole answer and vanishes: nobody is listening.",
            "Its answer is computed to the end, and sent to nobody.",
        ),
        plays.leaves_without_stream,
        "only_streams_are_watched",
    ),
]

DEMOS = {demo.id: demo for demo in MAIN + FAULTS}

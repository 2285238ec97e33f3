"""What the clients of a demonstration do, step by step.

Demonstrations share them: the same steps show what is right and what is wrong.
"""

from __future__ import annotations

from chapters.classroom.stage import Stage

TEN = "ABCDEFGHIJ"


async def long_short_health(stage: Stage) -> None:
    """A asks for much; while it is computed, B asks for little and C for /health."""
    await stage.hold()
    await stage.ask("A", 24)
    await stage.until("A", "prefill")
    await stage.ask("B", 4)
    await stage.health("C")
    stage.open()
    await stage.ended()


async def _joined(stage: Stage, tokens: int) -> None:
    """A asks for so many tokens; B for a few, during A's first pass."""
    await stage.hold()
    await stage.ask("A", tokens)
    await stage.until("A", "prefill")
    await stage.ask("B", 4, "Name a colour.")
    await stage.until("B", "submitted")
    stage.open()


async def long_and_short(stage: Stage) -> None:
    """A asks for much; while it is computed, B asks for little."""
    await _joined(stage, 24)
    await stage.ended()


async def one_hears_nothing(stage: Stage) -> None:
    """A asks for much and B for little; A is let go when all of it was computed."""
    await _joined(stage, 12)
    await stage.until("A", "kv freed")
    await stage.until("B", "kv freed")
    await stage.health("C")
    await stage.ended("C")
    await stage.clients.leave()


async def ten_at_once(stage: Stage) -> None:
    """Ten clients ask before the first of them has a token."""
    await stage.hold()
    for name in TEN:
        await stage.ask(name, 6, f"I am {name}.")
    for name in TEN:
        await stage.until(name, "submitted")
    stage.open()
    await stage.ended()


async def five_at_once(stage: Stage) -> None:
    """Five clients ask, and the first pass of each has begun before one of them ends."""
    await stage.hold()
    for name in TEN[:5]:
        await stage.ask(name, 8, f"I am {name}.")
    for name in TEN[:5]:
        await stage.until(name, "prefill")
    stage.open()
    await stage.ended()


async def two_questions(stage: Stage) -> None:
    """A and B ask different things; B comes while A's first tokens are computed."""
    await stage.hold()
    await stage.ask("A", 8, "aaaaaaaa")
    await stage.advance("A", "token", 1)
    await stage.ask("B", 8, "bbbbbbbb")
    await stage.until("B", "submitted")
    stage.open()
    await stage.ended()


async def same_name(stage: Stage) -> None:
    """A and B send the same X-Request-Id."""
    for name, prompt in (("A", "aaaaaaaa"), ("B", "bbbbbbbb")):
        await stage.ask(name, 8, prompt, headers={"x_request_id": "my-request"})
    await stage.ended()


async def same_name_at_once(stage: Stage) -> None:
    """The same, where both run at the same time; B's end is waited for."""
    await stage.hold()
    for name, prompt in (("A", "aaaaaaaa"), ("B", "bbbbbbbb")):
        await stage.ask(name, 8, prompt, headers={"x_request_id": "my-request"})
        await stage.until(name, "submitted")
    stage.open()
    await stage.ended("B")
    await stage.clients.leave()


async def cut_off(stage: Stage) -> None:
    """A's answer has no room to end."""
    await stage.ask("A", 4)
    await stage.ended()


async def bad_request(stage: Stage) -> None:
    """A asks for what there cannot be."""
    await stage.ask("A", -1)
    await stage.ended()


async def wants_a_stream(stage: Stage) -> None:
    """A asks for a stream of few tokens: three letters, then numbers."""
    await stage.ask("A", 8, "Hey", stream=True)
    await stage.ended()


async def stream_and_whole(stage: Stage) -> None:
    """A streams, B does not; both want the same."""
    await stage.hold()
    for name, stream in (("A", True), ("B", False)):
        await stage.ask(name, 16, stream=stream)
        await stage.until(name, "submitted")
    stage.open()
    await stage.ended()


async def other_letters(stage: Stage) -> None:
    """A's answer has characters of several tokens."""
    await stage.ask("A", 16, "日本語 é ü")
    await stage.ended()


async def _leaves(stage: Stage, tokens: int, **more) -> None:
    """A asks for so many tokens and vanishes after three, during a pass."""
    await stage.hold()
    await stage.ask("A", tokens, **more)
    await stage.advance("A", "delivered", 3)
    await stage.leave("A")
    await stage.until("A", "closed")
    stage.open()


async def leaves_early(stage: Stage) -> None:
    """A streams and vanishes after three tokens."""
    await _leaves(stage, 32)
    await stage.until("A", "kv freed")


async def one_goes(stage: Stage) -> None:
    """Three stream; A vanishes, and the others are watched for a while, then let go."""
    await stage.hold()
    for name in "ABC":
        await stage.ask(name, 24)
        await stage.until(name, "submitted")
    await stage.advance("C", "delivered", 3)
    await stage.leave("A")
    await stage.until("A", "abort asked")
    stage.open()
    await stage.until("A", "abort done")
    await stage.ask("D", 12)
    await stage.ended("D")
    await stage.clients.leave()


async def leaves_for_good(stage: Stage) -> None:
    """A vanishes after three tokens; B comes and is served."""
    await _leaves(stage, 24)
    await stage.until("A", "abort done")
    await stage.ask("B", 8)
    await stage.ended()


async def leaves_without_stream(stage: Stage) -> None:
    """A waits for a whole answer and vanishes in the middle."""
    await _leaves(stage, 32, stream=False)
    await stage.until("A", "kv freed")


async def reads_slowly(stage: Stage) -> None:
    """A reads in sips; everything else goes on at its own speed."""
    stage.clients["A"].read_slowly(True)
    await stage.ask("A", 12)
    await stage.until("A", "finished")
    await stage.reads("A", 8)
    stage.clients["A"].read_slowly(False)
    await stage.ended()

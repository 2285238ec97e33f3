"""Streams, right and wrong, that Task 4.5's invariant must tell apart.

Each server is a function `serve(answer) -> events`, made of values only, so that none of the
student's code is in it. `whole(answer)` is the same answer without streaming.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

DONE = "[DONE]"


@dataclass(frozen=True)
class Answer:
    """What was generated: the bytes of each token's text, and why it ended."""

    tokens: Sequence[bytes]
    reason: str

    @property
    def text(self) -> str:
        return b"".join(self.tokens).decode()

    @property
    def pieces(self) -> list[str]:
        """The text token by token, each character whole."""
        found, held = [], b""
        for token in self.tokens:
            held += token
            if "\ufffd" not in (piece := held.decode(errors="replace")):
                found, held = [*found, piece], b""
        return [piece for piece in found if piece]

    @property
    def usage(self) -> dict:
        count = len(self.tokens)
        return {"prompt_tokens": 11, "completion_tokens": count, "total_tokens": 11 + count}


ANSWERS = [  # what one of them cannot show, another does
    Answer([b" Hel", b"lo", b" \xe6", b"\x97\xa5", b" \xe6\x97", b"\xa5", b""], "length"),
    Answer([b" one", b" two", b" two", b"  three", b""], "stop"),
    Answer([b"a", b"\xe6", b"\x97", b"\xa5\xf0\x9f", b"\x99\x82", b" [DONE]"], "stop"),
    Answer([b""], "stop"),
]


def whole(answer: Answer) -> dict:
    """The JSON answer without streaming."""
    message = {"role": "assistant", "content": answer.text}
    choice = {"index": 0, "message": message, "finish_reason": answer.reason, "logprobs": None}
    head = {"id": "chatcmpl-0", "object": "chat.completion", "created": 1, "model": "seeded"}
    return {**head, "choices": [choice], "usage": answer.usage}


def chunk(delta: dict, reason=None, uid="chatcmpl-1", **more) -> str:
    """The data of one chunk."""
    head = {"id": uid, "object": "chat.completion.chunk", "created": 1, "model": "seeded"}
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    return json.dumps({**head, "choices": choices, **more})


ROLE = chunk({"role": "assistant", "content": ""})


def brief(events: Sequence[str]) -> str:
    """The events as a message shows them: without what is the same in all of a stream's chunks."""
    chunks = [json.loads(event) for event in events if event != DONE]
    same = {"object", "created", "model"} | (
        {"id"} if len({c["id"] for c in chunks}) == 1 else set()
    )
    return " ".join(event if event == DONE else _brief(json.loads(event), same) for event in events)


def _brief(chunk: dict, same: set[str]) -> str:
    shown = {key: value for key, value in chunk.items() if key not in same and value is not None}
    if chunk["choices"]:
        choice = shown.pop("choices")[0]
        shown["delta"] = choice["delta"]
        shown |= {"finish_reason": r} if (r := choice["finish_reason"]) is not None else {}
    return json.dumps(shown, ensure_ascii=False)


def says(pieces) -> list[str]:
    return [chunk({"content": piece}) for piece in pieces]


def end(answer: Answer, *after: str) -> list[str]:
    """The chunk with the reason, what comes after it, and [DONE]."""
    return [chunk({}, answer.reason), *after, DONE]


# Right ones.


def right(answer):
    """The role, a chunk for each piece, the reason, [DONE]."""
    return [ROLE, *says(answer.pieces), *end(answer)]


def right_in_one_chunk(answer):
    """All of it in one delta: a server that had everything when it began to send."""
    return [chunk({"role": "assistant", "content": answer.text}, answer.reason), DONE]


def right_letter_by_letter(answer):
    """A chunk for each character; every delta repeats the role."""
    return [
        ROLE,
        *(chunk({"role": "assistant", "content": c}) for c in answer.text),
        chunk({"content": None}, answer.reason),
        DONE,
    ]


def right_with_the_reason_in_the_last_text(answer):
    """The last piece of text has the reason beside it; a chunk without text comes after."""
    *pieces, last = answer.pieces or [""]
    ended = chunk({"content": last}, answer.reason)
    return [ROLE, *says(pieces), ended, chunk({"content": ""}), DONE]


def right_with_usage(answer):
    """Usage null in each chunk, then a chunk without choices that has it."""
    nothing = [chunk({"content": p}, usage=None) for p in answer.pieces]
    return [ROLE, *nothing, *end(answer, chunk({}, usage=answer.usage, choices=[]))]


def right_with_counts_so_far(answer):
    """Each chunk counts the tokens so far, and a first one without choices has usage null."""
    counts = [{**answer.usage, "completion_tokens": n} for n in range(1, 99)]
    pieces = zip(answer.pieces, counts, strict=False)
    so_far = [chunk({"content": piece}, usage=count) for piece, count in pieces]
    return [chunk({}, usage=None, choices=[]), ROLE, *so_far, *end(answer)]


# Wrong ones.


def never_says_done(answer):
    """Ends without [DONE]."""
    return right(answer)[:-1]


def says_done_twice(answer):
    """Says [DONE] twice."""
    return [*right(answer), DONE]


def goes_on_after_done(answer):
    """Sends the usage after [DONE]."""
    return [*right(answer), chunk({}, usage=answer.usage, choices=[])]


def a_new_id_for_each_chunk(answer):
    """Gives every chunk an id of its own."""
    events = right(answer)
    return [e.replace("chatcmpl-1", f"chatcmpl-{n}") for n, e in enumerate(events)]


def another_id_in_the_middle(answer):
    """Gives one chunk in the middle another id."""
    return [ROLE, chunk({"content": ""}, uid="chatcmpl-2"), *right(answer)[1:]]


def another_id_for_the_usage(answer):
    """Gives the chunk with the usage, which has no choices, another id."""
    usage = chunk({}, uid="chatcmpl-2", usage=answer.usage, choices=[])
    return [ROLE, *says(answer.pieces), *end(answer, usage)]


def another_role(answer):
    """Says that the user speaks."""
    return [ROLE.replace("assistant", "user"), *right(answer)[1:]]


def never_names_the_role(answer):
    """Sends no role."""
    return right(answer)[1:]


def names_the_role_last(answer):
    """Sends the role with the finish reason."""
    role = chunk({"role": "assistant"}, answer.reason)
    return [chunk({"content": ""}), *says(answer.pieces), role, DONE]


def strips_each_piece(answer):
    """Strips every piece."""
    return [ROLE, *says(piece.strip() for piece in answer.pieces), *end(answer)]


def strips_the_first_piece(answer):
    """Loses the space at the beginning of the text."""
    return [ROLE, *says([answer.text.lstrip()]), *end(answer)]


def says_the_last_piece_twice(answer):
    """Sends the last piece once more."""
    return [ROLE, *says([*answer.pieces, *answer.pieces[-1:]]), *end(answer)]


def decodes_each_token_alone(answer):
    """Decodes token by token: split characters become U+FFFD."""
    return [ROLE, *says(t.decode(errors="replace") for t in answer.tokens), *end(answer)]


def skips_a_repeated_piece(answer):
    """Sends no piece that equals the one before it."""
    pieces = answer.pieces
    new = [p for n, p in enumerate(pieces) if n == 0 or p != pieces[n - 1]]
    return [ROLE, *says(new), *end(answer)]


def repeats_all_so_far(answer):
    """Sends the whole text so far each time."""
    pieces = answer.pieces
    return [ROLE, *says("".join(pieces[: n + 1]) for n in range(len(pieces))), *end(answer)]


def loses_the_last_piece(answer):
    """Ends before what was held back is sent."""
    return [ROLE, *says(answer.pieces[:-1]), *end(answer)]


def swaps_pieces(answer):
    """Sends the right pieces in another order."""
    return [ROLE, *says(sorted(answer.pieces)), *end(answer)]


def always_stops(answer):
    """Says "stop" whatever ended the answer."""
    return [ROLE, *says(answer.pieces), chunk({}, "stop"), DONE]


def always_at_its_limit(answer):
    """Says "length" whatever ended the answer."""
    return [ROLE, *says(answer.pieces), chunk({}, "length"), DONE]


def says_two_reasons(answer):
    """Has another finish reason before the true one."""
    other = "length" if answer.reason == "stop" else "stop"
    return [ROLE, *says(answer.pieces), chunk({}, other), *end(answer)]


def never_says_why(answer):
    """Has no finish reason."""
    return [ROLE, *says(answer.pieces), DONE]


def says_why_twice(answer):
    """Has the finish reason in two chunks."""
    return [ROLE, *says(answer.pieces), chunk({}, answer.reason), *end(answer)]


def has_text_after_the_reason(answer):
    """Sends the rest of the text after the finish reason."""
    *pieces, last = answer.pieces or [""]
    ended = chunk({}, answer.reason)
    return [ROLE, *says(pieces), ended, chunk({"content": last}), DONE]


def has_text_long_after_the_reason(answer):
    """Sends the finish reason, a chunk without text, and then the rest of the text."""
    *events, done = has_text_after_the_reason(answer)
    return [*events[:-1], chunk({}), events[-1], done]


def has_text_before_its_last_chunk(answer):
    """Sends the finish reason, the rest of the text, and then a chunk without text."""
    *events, done = has_text_after_the_reason(answer)
    return [*events, chunk({}), done]


def with_counts(answer, *counts):
    """Right but for these counts, each in a chunk without choices."""
    chunks = [chunk({}, usage=usage, choices=[]) for usage in counts]
    return [ROLE, *says(answer.pieces), *end(answer, *chunks)]


def forgets_the_prompt(answer):
    """Has usage without the prompt's tokens."""
    return with_counts(answer, answer.usage | {"prompt_tokens": 0})


def swaps_the_counts(answer):
    """Has usage with prompt and completion swapped; the total is right."""
    prompt, completion, total = answer.usage.values()
    return with_counts(answer, dict(zip(answer.usage, (completion, prompt, total), strict=True)))


def counts_one_too_many(answer):
    """Counts a token that never was."""
    prompt, completion, total = answer.usage.values()
    more = (prompt, completion + 1, total + 1)
    return with_counts(answer, dict(zip(answer.usage, more, strict=True)))


def usage_is_right_first(answer):
    """Has two chunks without choices that have usage; the second is wrong."""
    return with_counts(answer, answer.usage, answer.usage | {"completion_tokens": 99})


def usage_is_right_at_last(answer):
    """Has two chunks without choices that have usage; the first is wrong."""
    return with_counts(answer, answer.usage | {"completion_tokens": 99}, answer.usage)


def usage_of_zeros(answer):
    """Fills usage with zeros."""
    zeros = dict.fromkeys(answer.usage, 0)
    return [ROLE, *says(answer.pieces), *end(answer, chunk({}, usage=zeros, choices=[]))]


def counts_pieces(answer):
    """Counts the pieces of text for tokens."""
    count = len(answer.pieces)
    counts = {"prompt_tokens": 11, "completion_tokens": count, "total_tokens": 11 + count}
    return [ROLE, *says(answer.pieces), *end(answer, chunk({}, usage=counts, choices=[]))]

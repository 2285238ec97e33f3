"""Small servers, right and wrong, that Task 1.5's invariant must tell apart.

Each is a function `serve(core, body) -> status` made from given parts only, so that none of
the student's code is in it. `observe` runs one against the same requests.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

from pydantic import ValidationError

from chapters.core import (
    ApiError,
    Body,
    CheckedRequest,
    GenerationRequest,
    Message,
    ScriptedCore,
    generate,
    prepare,
)
from chapters.core.trace import watching

NOBODY = None  # the status of a request whose client left


def said(text: str, **fields) -> bytes:
    messages = [{"role": "user", "content": text}]
    return json.dumps({"messages": messages, "temperature": 0, "max_tokens": 6} | fields).encode()


# What is asked of every server. The second round repeats the first's good requests.
GOOD = [said("Hi"), said("Yo"), said("Hi"), said("Count", max_tokens=3), said("Count"), said("Hi")]
BAD = [said("Hi", model="gpt-9"), said("Hi", temperature=9), b'{"\xff', said("Hi", stream=True)]
REQUESTS = [GOOD[0], BAD[0], GOOD[1], BAD[1], *GOOD[2:4], BAD[2], *GOOD[4:], BAD[3], *GOOD]


def check(body: bytes) -> CheckedRequest:
    fields = Body.model_validate_json(body)
    if fields.model not in (None, "scripted"):
        raise ApiError(404, "model")
    if fields.stream:
        raise ApiError(400, "stream")
    return fields.checked()


def compute(core, checked: CheckedRequest, passes: int | None = None) -> None:
    """Generates all of the answer, or as much as these passes give."""
    prompt, sampling = prepare(core, checked)
    for _ in islice(generate(core, GenerationRequest("seeded", prompt, sampling)), passes):
        pass


def judged(body: bytes) -> int:
    """The status that a right server gives; computes nothing."""
    try:
        check(body)
    except (ApiError, ValidationError) as error:
        return getattr(error, "status", 400)
    return 200


def right(core, body):
    """Checks, then computes."""
    status = judged(body)
    if status == 200:
        compute(core, check(body))
    return status


def right_with_422(core, body):
    """Another status for what is wrong with a field: still a 4xx."""
    return {400: 422}.get(status := right(core, body), status)


def right_with_an_instruction(core, body):
    """Puts the same instruction in front of every conversation."""
    status = judged(body)
    if status == 200:
        checked = check(body)
        compute(core, replace(checked, source=(Message("system", "Be kind."), *checked.source)))
    return status


class RightButBroken:
    """Its model fails half-way through every third request: a 500, with passes."""

    def __init__(self):
        self.number = 0

    def __call__(self, core, body):
        self.number += 1
        if self.number % 3 or judged(body) != 200:
            return right(core, body)
        compute(core, check(body), passes=2)
        return 500


class RightAndBusy:
    """Turns some callers away unread, with 429 or 503, and some leave before they are answered."""

    def __init__(self):
        self.number = 0

    def __call__(self, core, body):
        self.number += 1
        if self.number % 4 == 0:
            return 503 if self.number % 8 else 429
        if self.number % 5 or judged(body) != 200:
            return right(core, body)
        compute(core, check(body), passes=3)
        return NOBODY


def computes_before_checking(core, body):
    """Generates as soon as it finds messages, and looks at the other fields afterwards."""
    try:
        found = json.loads(body)
    except ValueError:
        return 400
    text = found["messages"][0]["content"]
    compute(core, check(said(text, max_tokens=found["max_tokens"])))
    return 400 if found.get("stream") or found["temperature"] else 404 if "model" in found else 200


class ComputesFirst:
    """Computes first, and refuses afterwards."""

    def __init__(self, status):
        self.status = status

    def __call__(self, core, body):
        if judged(body) == 200:
            return right(core, body)
        compute(core, check(GOOD[0]))
        return self.status


def computes_for_an_unknown_model(core, body):
    """Checks all but the model's name, which it compares with the answer in hand."""
    try:
        fields = Body.model_validate_json(body)
    except ValidationError:
        return 400
    if fields.stream:
        return 400
    compute(core, fields.checked())
    return 404 if fields.model else 200


class RemembersTheConversation:
    """Puts what was said before in front of what is said now."""

    def __init__(self):
        self.history = ()

    def __call__(self, core, body):
        try:
            checked = check(body)
        except (ApiError, ValidationError):
            return 400
        self.history = (*self.history[-3:], *checked.source)
        compute(core, replace(checked, source=self.history))
        return 200


class RemembersTheLimit:
    """Keeps the smallest max_tokens it has seen, as a shared default that is changed."""

    def __init__(self):
        self.limit = 100

    def __call__(self, core, body):
        try:
            checked = check(body)
        except (ApiError, ValidationError):
            return 400
        self.limit = min(self.limit, checked.sampling.max_tokens)
        sampling = replace(checked.sampling, max_tokens=self.limit)
        compute(core, replace(checked, sampling=sampling))
        return 200


class AnswersFromMemory:
    """Answers a body that it has seen from a store, without the model."""

    def __init__(self):
        self.seen = set()

    def __call__(self, core, body):
        if body in self.seen:
            return 200
        status = right(core, body)
        self.seen |= {body} if status == 200 else set()
        return status


def never_computes(core, body):
    """Answers all good requests from a store, without the model."""
    return judged(body)


class SwapsTheQuestion:
    """Answers with the previous caller's question, if it is as long as the present one."""

    def __init__(self):
        self.previous = ()

    def __call__(self, core, body):
        try:
            checked = check(body)
        except (ApiError, ValidationError):
            return 400
        self.previous, before = checked.source, self.previous
        alike = [len(m.content) for m in before] == [len(m.content) for m in checked.source]
        compute(core, replace(checked, source=before) if alike else checked)
        return 200


def breaks_two_promises(core, body):
    """Computes for an unknown model, and twice for every good request."""
    status = computes_for_an_unknown_model(core, body)
    if status == 200:
        right(core, body)
    return status


def computes_twice(core, body):
    """Generates once to count the tokens and once to have the text."""
    status = right(core, body)
    if status == 200:
        right(core, body)
    return status


def broken(exchanges) -> list[str]:
    """The promises that a run has broken, for the messages of the checks."""
    found, first = [], {}
    for number, e in enumerate(exchanges):
        if e.status in range(400, 500) and e.passes:
            found.append(f"request {number}: {e.passes} passes for a {e.status}")
        if e.status == 200 and len(e.prompts) != 1:
            found.append(f"request {number}: a 200 with {len(e.prompts)} prompts")
        if e.status == 200:
            like = first.setdefault(e.body, number)
            for what in ("prompts", "passes"):
                if getattr(exchanges[like], what) != getattr(e, what):
                    found.append(f"requests {like} and {number}: equal bodies, other {what}")
    return found


def observe(serve: Callable, new_exchange: Callable, requests: Iterable[bytes] = REQUESTS) -> list:
    """What the trace knows of each request, as an Exchange made by `new_exchange`."""
    core, exchanges = ScriptedCore(), []
    for body in requests:
        with watching() as watch:
            status = serve(core, body)
        prompts = tuple(event.data["prompt"] for event in watch.of("prefill"))
        passes = len(prompts) + len(watch.of("decode"))
        exchange = new_exchange(body=body, status=status, prompts=prompts, passes=passes)
        exchanges.append(exchange)
    return exchanges

"""Small dispatchers, right and wrong, that Task 2.5's invariant must tell apart.

Each is a function `dispatch(tape, opened) -> given` made from given parts only, so that none of
the student's code is in it. What `by_uid` gives is what is due.
"""

import pickle
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from chapters.core import Reply


def by_uid(tape, opened):
    """Gives each reply to the open request that it names, until that request's last one."""
    given = {uid: [] for uid in opened}
    for reply in tape:
        mine = given.get(reply.uid)
        if mine is not None and not (mine and mine[-1].last):
            mine.append(reply)
    return given


def by_uid_in_another_process(tape, opened):
    """Goes by the uid behind a pipe between processes: what arrives is a copy, in a tuple."""
    return {uid: tuple(map(_copied, mine)) for uid, mine in by_uid(tape, opened).items()}


def by_uid_as_needed(tape, opened):
    """Goes by the uid, and has no entry for a request until it is given something."""
    return {uid: mine for uid, mine in by_uid(tape, opened).items() if mine}


def by_uid_with_empty_entries(tape, opened):
    """Goes by the uid, and has an empty entry for every other uid that it has ever seen."""
    return {**{reply.uid: () for reply in tape}, **by_uid(tape, opened)}


def _copied(reply):
    return pickle.loads(pickle.dumps(reply))


def next_reply(tape, opened):
    """Gives each reply to the next reader in turn that has not read its last one."""
    given, readers = {uid: [] for uid in opened}, list(opened)
    for reply in tape:
        if readers:
            given[readers[0]].append(reply)
            readers = readers[1:] + ([] if reply.last else readers[:1])
    return given


def to_everyone(tape, opened):
    """Gives every reply to every open request."""
    return {uid: list(tape) for uid in opened}


def with_the_readers_name(tape, opened):
    """Gives each reply to the next reader, and writes that reader's uid on it."""
    given = next_reply(tape, opened)
    return {uid: [replace(reply, uid=uid) for reply in mine] for uid, mine in given.items()}


def texts_exchanged(tape, opened):
    """Gives each request its own replies, with the text of whoever was served just before."""
    texts = ["", *(reply.text for reply in tape)]
    return by_uid([replace(r, text=t) for r, t in zip(tape, texts, strict=False)], opened)


def hides_errors(tape, opened):
    """Tells the owner of a request that failed that it has ended well."""
    good = [replace(r, finish_reason="stop", error=None) if r.error else r for r in tape]
    return by_uid(good, opened)


def counts_exchanged(tape, opened):
    """Counts the token of every other reply to the one before it."""
    return by_uid([replace(r, tokens=r.tokens + (-1) ** n) for n, r in enumerate(tape)], opened)


def to_a_listener(tape, opened):
    """Gives each its own, and all of it to someone, too, who is not on the tape at all."""
    return {**by_uid(tape, opened), "Z": list(tape)}


def newest_first(tape, opened):
    """Keeps a stack for each request, and hands it out from the top."""
    return {uid: mine[::-1] for uid, mine in by_uid(tape, opened).items()}


def late_ones_last(tape, opened):
    """Hands out the reply that was held up by another request's after all the others."""
    given = by_uid(tape, opened)
    for number, (before, reply) in enumerate(zip(tape, tape[1:], strict=False)):
        mine = given.get(reply.uid, [])
        if before.uid != reply.uid and number > 2 and reply in mine and not reply.last:
            mine.remove(reply)
            mine.append(reply)
    return given


def opened_too_late(tape, opened):
    """Opens a request when it sees its first reply, and loses that one."""
    return {uid: mine[1:] for uid, mine in by_uid(tape, opened).items()}


def closed_too_early(tape, opened):
    """Closes a request before it delivers the last reply."""
    return {uid: [r for r in mine if not r.last] for uid, mine in by_uid(tape, opened).items()}


def stops_at_a_stranger(tape, opened):
    """Ends at the first reply that finds no owner."""
    known = [reply.uid in opened for reply in tape]
    return by_uid(tape[: known.index(False)] if False in known else tape, opened)


def stops_at_the_first_end(tape, opened):
    """Takes the last reply of one request for the end of the pipe."""
    ends = [number for number, reply in enumerate(tape) if reply.last]
    return by_uid(tape[: ends[0] + 1] if ends else tape, opened)


def delivers_twice(tape, opened):
    """Delivers a reply again if another request's came right after it."""
    again = []
    for number, reply in enumerate(tape):
        again.append(reply)
        if not reply.last and tape[number + 1 : number + 2] and tape[number + 1].uid != reply.uid:
            again.append(reply)
    return by_uid(again, opened)


def drops_equal_ones(tape, opened):
    """Takes a reply that is equal to an earlier one for the same reply come twice."""
    return by_uid(list(dict.fromkeys(tape)), opened)


def goes_on_after_the_last(tape, opened):
    """Gives a request all that carries its uid, also what comes after its last reply."""
    return {uid: [reply for reply in tape if reply.uid == uid] for uid in opened}


def opens_for_anybody(tape, opened):
    """Makes a state for every uid that it sees."""
    given = defaultdict(list, by_uid(tape, opened))
    for reply in tape:
        if reply.uid not in opened:
            given[reply.uid].append(reply)
    return dict(given)


def invents_an_end(tape, opened):
    """Writes a last reply itself for a request that has none on the tape."""
    given = by_uid(tape, opened)
    for uid, mine in given.items():
        if not (mine and mine[-1].last):
            mine.append(Reply(uid, "", 0, "stop"))
    return given


def plain(pairs) -> Iterator[tuple]:
    """Two requests are open, and the tape has all of both."""
    for tape in pairs:
        yield tape, ["A", "B"]


def with_strangers(pairs) -> Iterator[tuple]:
    """The second request is not open, or a third one's reply comes in between."""
    for number, tape in enumerate(pairs):
        place = number % 9
        stranger = Reply("C", "C1", 1, "stop" if number % 2 else None)
        yield [*tape[:place], stranger, *tape[place:]], ["A", "B"]
        yield tape, ["A"]
        if place == 0:
            yield tape, []


def with_late_replies(pairs) -> Iterator[tuple]:
    """A reply of one of the requests comes after that request's last one."""
    for number, tape in enumerate(pairs):
        uid = "AB"[number % 2]
        end = next(n for n, reply in enumerate(tape) if reply.uid == uid and reply.last)
        for place in (end + 1, len(tape)):
            late = Reply(uid, f"{uid}5", 1, "stop" if place % 2 else None)
            yield [*tape[:place], late, *tape[place:]], ["A", "B"]


def cut(pairs) -> Iterator[tuple]:
    """The tape ends before one of the requests has, or before it has begun."""
    for number, tape in enumerate(pairs):
        yield tape[: number % 7], ["A", "B"]


def silent(pairs) -> Iterator[tuple]:
    """No reply but the last has text, as when all of it is decoded at the end."""
    for tape in pairs:
        yield [r if r.last else replace(r, text="") for r in tape], ["A", "B"]

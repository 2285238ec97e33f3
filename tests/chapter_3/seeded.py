"""Runs of workers, right and wrong, that Task 3.5's invariant must tell apart.

A run is written as a line: `+a` a is admitted, `a` a token of a, `-a` a has ended.
"""

import itertools


def turns(lengths: dict[str, int], come: dict[str, int]) -> str:
    """A fair run: uid → number of tokens, and the turn in which it is admitted."""
    done, left = [], dict(lengths)
    for turn in itertools.count():
        done += [f"+{uid}" for uid in lengths if come.get(uid, 0) == turn]
        running = [uid for uid in left if come.get(uid, 0) <= turn]
        for uid in running:
            left[uid] -= 1
            done.append(uid)
        ended = [uid for uid in running if not left[uid]]
        done += [f"-{uid}" for uid in ended]
        for uid in ended:
            del left[uid]
        if not left:
            return " ".join(done)


LENGTHS = {"a": 4, "b": 2, "c": 3}
ARRIVALS = itertools.product((0, 1), (0, 2), (0, 1, 3))

FAIR = {
    "nothing to do": "",
    "one request alone": "+a a a a -a",
    "three in turns": "+a +b +c a b c a b c a b c -a -b -c",
    "five in turns": "+a +b +c +d +e a b c d e a b c d e -a -b -c -d -e",
    "each ends as soon as it has its last token": "+a +b a b a b -b a -a",
    "one after the other, each alone": "+a a a -a +b b b -b +c c -c",
} | {
    f"lengths 4, 2, 3, admitted in turns {come}": turns(
        LENGTHS, dict(zip(LENGTHS, come, strict=True))
    )
    for come in ARRIVALS
}

COMING_AND_GOING = {
    "b comes between two tokens of a": "+a a +b a b a b -a -b",
    "b ends between two tokens of a": "+a +b a b -b a a a -a",
    "b comes and ends between two tokens of a": "+a a +b -b a -a",
    "a newcomer is put in front": "+a +b a b +c c a b c a b -a -b -c",
    "the first one ends, the others keep their order": "+a +b +c a b c -a b c b c -b -c",
    "all end in the same turn": "+a +b +c a b c -c -b -a",
}

GOING_WRONG = {
    "a request is refused: it ends without a token": "+a a +b a -b a -a",
    "all are refused": "+a +b -a -b",
    "b fails in its second step and gets no token": "+a +b +c a b c a -b c a c -a -c",
    "a fails in its first step": "+a +b b -a b -b",
}

IN_A_ROW = {
    "first come, first served": "+a +b a a a -a b b b -b",
    "the second waits until the first has ended": "+a +b +c a a -a b b -b c c -c",
    "the newest goes first, to its end": "+a a +b b b b -b a a -a",
    "two tokens a turn": "+a +b a a b b a a b b -a -b",
}

STARVED = {
    "b is left out of the second turn, then makes up for it": "+a +b +c a b c a c b a b c -a -b -c",
    "c waits while a and b take turns": "+a +b +c a b a b a b -a -b c c c -c",
    "newcomers before those who run": "+a a +b b +c c b c -b -c a a -a",
    "every other turn belongs to a alone": "+a +b a b a a b a -a b -b",
    "only the last turn is unfair": "+a +b +c a b c a b c a c a -a b -b c -c",
    "as many tokens each, in the wrong order": "+a +b a b b a a b -a -b",
    "c waits while a has two, and b one": "+a +b +c a b a c b -a -b -c",
    "one of five is left out once": "+a +b +c +d +e a b c d e a b c e d a b c d e -a -b -c -d -e",
    "a newcomer does not excuse it: b waits all the while": "+a +b a +c a b c a b c -a -b -c",
    "an end does not excuse it: b waits all the while": "+a +b +c a c -c a b a b -a -b",
    "after others have ended": "+a +b +c c -c a b a a b -a -b",
    "b waits, and then ends without ever having had a token": "+a +b a a a -a -b",
    "b runs until its end, not until its last token": "+a +b a b a a -a -b",
}

NEVER_ENDED = {
    "the last of three is forgotten": "+a +b +c a b c a b c -a -b",
    "a refused one is only logged": "+a a +b a a -a",
    "a failed one is dropped silently": "+a +b a b a a -a",
    "nobody is ever told": "+a +b a b a b",
    "one that comes last is only logged: no token, no end": "+a a a -a +b",
}

ENDED_TWICE = {
    "the last reply is posted again": "+a +b a b -a -b -a",
    "a failure is told in two turns": "+a +b a -b a -b -a",
    "ends, at once, twice": "+a a -a -a",
}

UNHEARD_OF = {
    "an end of somebody who never came": "+a a -b -a",
    "an end before it was admitted": "-a +a a -a",
    "nothing but an end": "-a",
}

OUT_OF_LIFE = {
    "a token after the end": "+a +b a b -a a b -b",
    "a token before it was admitted": "a +a +b a b -a -b",
    "a goes on for ever after its end": "+a a -a a a a",
    "a token after the other has ended": "+a +b a b -a -b a",
}


def moments(run: str, new_moment) -> list:
    """The run as the invariant gets it."""
    kinds = {"+": "admitted", "-": "ended"}
    return [
        new_moment(kinds.get(word[0], "token"), f"request {word[-1].upper()}")
        for word in run.split()
    ]

"""Task 4.1: IncrementalText, from token ids to text that only grows."""

from itertools import product
from os.path import commonprefix

import pytest

from chapters.course.checking import case, expect, fail, provided

HALF = "\ufffd"


class Tokenizer:
    """A tokenizer whose ids are places in a list of pieces; it notes how much it decodes.

    drops_space: leaves out a space in front of the first id's text, as many tokenizers do.
    """

    def __init__(self, *pieces, drops_space=False):
        self.pieces = [p if isinstance(p, bytes) else p.encode() for p in pieces]
        self.drops_space = drops_space
        self.longest = self.decoded = 0

    def decode(self, ids) -> str:
        ids = list(ids)
        self.longest, self.decoded = max(self.longest, len(ids)), self.decoded + len(ids)
        return self.whole(ids)

    def whole(self, ids) -> str:
        """The same, not noted: for the checks."""
        text = b"".join(self.pieces[i] for i in ids).decode(errors="replace")
        return text.removeprefix(" ") if self.drops_space else text


@pytest.fixture
def new_text():
    return provided("chapters.ch04_streaming.text", "IncrementalText")


def said(new_text, tokenizer, ids=None) -> tuple[list[str], str]:
    """What each `push` and then `flush` returned for these ids; all pieces in order if None."""
    ids = range(len(tokenizer.pieces)) if ids is None else ids
    with case([tokenizer.pieces[i] for i in ids]):
        text = new_text(tokenizer.decode)
        pushed = [text.push(i) for i in ids]
        rest = text.flush()
    for piece in (*pushed, rest):
        expect(
            isinstance(piece, str), "it goes into the answer as text", got=piece, expected="a str"
        )
    return pushed, rest


def test_plain_text(new_text):
    """Text that no later token can change is shown at once."""
    pushed, rest = said(new_text, Tokenizer("Hel", "lo", ",", " wor", "ld"))
    expect(
        (pushed, rest) == (["Hel", "lo", ",", " wor", "ld"], ""),
        "whoever reads along wants each word when it is there, not at the end",
        sent="five tokens: 'Hel', 'lo', ',', ' wor', 'ld'; then flush",
        got=f"{pushed}, then {rest!r}",
        expected="the same five texts, then ''",
    )


def test_split_characters(new_text):
    """A character spread over tokens is shown when it is whole, and never as halves."""
    halves = (b"a", b"\xe6", b"\x97", b"\xa5\xf0\x9f", b"\x99\x82", b"\xc3", b"\xa9!", b"z")
    pushed, rest = said(new_text, Tokenizer(*halves))
    expect(
        "".join(pushed) + rest == "a日🙂é!z",
        "half a character on the screen is a black diamond, and it cannot be taken back",
        sent=f"the bytes of a日🙂é!z, token by token: {list(halves)}",
        got=f"{pushed}, then {rest!r}",
        expected="'a日🙂é!z', joined",
    )
    expect(
        HALF not in "".join(pushed) and pushed[4].endswith("🙂") and pushed[7] == "z" and not rest,
        "a character that is whole has no reason to wait",
        sent=f"the bytes of a日🙂é!z, token by token: {list(halves)}",
        got=f"{pushed}, then {rest!r}",
        expected="🙂 with the fifth token, é! with the seventh, z with the last",
    )


def test_spaces(new_text):
    """Spaces between words stay, also where the tokenizer drops one before the first id's text."""
    tokenizer = Tokenizer(" one", " two", " ", " three", "s", " ", "four", drops_space=True)
    pushed, rest = said(new_text, tokenizer)
    expect(
        "".join(pushed) + rest == "one two  threes four",
        "withoutthemtheanswerreadslikethis; code that is indented by spaces would even break",
        sent=f"the tokens {[p.decode() for p in tokenizer.pieces]}",
        got=f"{pushed}, then {rest!r}",
        expected="'one two  threes four', joined",
    )
    for breaks, why in (
        ("\n", "the next line may be indented: its first space belongs to the text"),
        (".", "the next sentence begins with a space, and the tokenizer drops that of a first id"),
        (" (", "the space in front of a sign is text as well as the one in front of a word"),
        ("\r\n", "a line end is text like any other: a file may need just this one"),
        ("\t", "a tab is no number of spaces: a Makefile without it does not run"),
        ("e\u0301", "an accent may be a character of its own, and text is not tidied on its way"),
    ):
        tokenizer = Tokenizer("one", breaks, " two", drops_space=True)
        pushed, rest = said(new_text, tokenizer)
        expect(
            "".join(pushed) + rest == f"one{breaks} two",
            why,
            sent=f"the tokens {ascii([p.decode() for p in tokenizer.pieces])}, to a tokenizer that "
            "drops a space in front of the first",
            got=f"{ascii(pushed)}, then {ascii(rest)}",
            expected=f"{ascii(f'one{breaks} two')}, joined",
        )
    pushed, rest = said(new_text, Tokenizer(" ", " two", drops_space=True))
    expect(
        "".join(pushed) + rest == " two",
        "an id whose text is empty may be a space all the same: the first line of code that is "
        "indented begins like this",
        sent="the tokens ' ' and ' two', to a tokenizer that drops a space in front of the first",
        got=f"{pushed}, then {rest!r}",
        expected="' two', joined: what `decode` makes of both",
    )


def test_flush(new_text):
    """An answer that ends inside a character: `flush` gives what was held back."""
    tokenizer = Tokenizer("a", b"\xf0\x9f", b"\x99")
    pushed, rest = said(new_text, tokenizer)
    whole = tokenizer.whole(range(3))
    expect(
        "".join(pushed) == "a" and rest == whole[1:],
        "the limit of tokens may fall inside a character; streamed or not, the text must be equal",
        sent="'a' and the first three of the four bytes of 🙂, then flush",
        got=f"{pushed}, then {rest!r}",
        expected=f"'a', then {whole[1:]!r}: what `decode` makes of all ids",
    )
    with case("flush, with no token before it", expected="''"):
        nothing = new_text(tokenizer.decode).flush()
    expect(nothing == "", "an answer may be empty", got=nothing, expected="''")


def test_bytes_that_are_no_text(new_text):
    """Bytes that never become a character appear as `decode` writes them, and nothing waits on."""
    tokenizer = Tokenizer("a", b"\xff", b"\xe6", "b", b"\xbf\xbf", "c")
    pushed, rest = said(new_text, tokenizer)
    whole = tokenizer.whole(range(6))
    expect(
        "".join(pushed) == whole and rest == "",
        "a model may write nonsense; an answer that waits for it to become text shows nothing more",
        sent="'a', two bytes that begin no character, 'b', two that end none, 'c'",
        got=f"{pushed}, then {rest!r}",
        expected=f"{whole!r} by the last token, then ''",
    )


def test_tokens_without_text(new_text):
    """A token that has no text changes nothing: nothing is doubled, nothing lost."""
    tokenizer = Tokenizer("", " a", "", "", " a", "", drops_space=True)
    pushed, rest = said(new_text, tokenizer)
    expect(
        "".join(pushed) + rest == "a a",
        "models write special tokens, which are not shown; the words around them are",
        sent="tokens with the texts '', ' a', '', '', ' a', ''",
        got=f"{pushed}, then {rest!r}",
        expected="'a a', joined",
    )


WAITS = [  # (what it is, its tokens, why nothing of it may be given up)
    (
        "the first byte of 日, 99 ids without text, its other bytes, then 'z'",
        [b"\xe6", *[""] * 99, b"\x97\xa5", "z"],
        "a character has at most four bytes, but there may be any number of ids between them",
    ),
    (
        "'a', 99 bytes that are no text, the three bytes of 日, then 'z'",
        ["a", *[b"\xff"] * 99, b"\xe6", b"\x97", b"\xa5", "z"],
        "of what waits, nothing may be forgotten: the text of all of it is still to come",
    ),
    (
        "' ', 99 ids without text, then ' b'",
        [" ", *[""] * 99, " b"],
        "the first id may be a space, which only the text after it shows: until there is some, no "
        "id can be forgotten",
    ),
]


def test_a_long_wait(new_text):
    """What has to wait for long is neither given up nor shown too early."""
    for what, pieces, why in WAITS:
        tokenizer = Tokenizer(*pieces, drops_space=True)
        pushed, rest = said(new_text, tokenizer)
        early = [n for n, piece in enumerate(pushed, 1) if piece.endswith(HALF)]
        expect(
            not early,
            "half a character may become whole at any time: it is shown once other text comes "
            "after it, or by `flush`, however long that takes",
            sent=f"{len(pieces)} tokens: {what}",
            got=f"{pushed[early[0] - 1][-20:]!r} with token {early[0]}" if early else None,
            expected="no text that ends with HALF",
        )
        got, wanted = "".join(pushed) + rest, tokenizer.whole(range(len(pieces)))
        expect(
            got == wanted and not rest,
            why,
            sent=f"{len(pieces)} tokens: {what}",
            got=f"{len(got)} characters, with {got[-6:]!r} at their end; {len(rest)} from flush",
            expected=f"{len(wanted)} characters, with {wanted[-6:]!r} at their end, before flush",
        )


LONG = [  # (what it is, its tokens, why its cost matters)
    (
        "' word', é in two tokens, ' word', and again from the first",
        [" word", b"\xc3", b"\xa9", " word"] * 300,
        "decoding costs time: all there is, decoded again for each token, takes longer and longer",
    ),
    (
        "日 again and again, each in three tokens of one byte",
        [b"\xe6", b"\x97", b"\xa5"] * 500,
        "many languages are written like this: no token is text alone, but the old ones can be "
        "forgotten wherever a character ends",
    ),
    (
        "' a', then 1200 ids without text, then ' b'",
        [" a", *[""] * 1200, " b"],
        "a model that has ended and must write on gives end tokens, which have no text: to keep "
        "them all costs time for each token that follows",
    ),
    (
        "a byte that begins no character, then 'b', and again from the first",
        [b"\xff", "b"] * 600,
        "a model may write nonsense; what was shown after it can be forgotten as any other text",
    ),
]


def test_a_long_answer(new_text):
    """For each token of a long answer, only the last few ids are decoded."""
    for what, pieces, why in LONG:
        tokenizer = Tokenizer(*pieces, drops_space=True)
        pushed, rest = said(new_text, tokenizer)
        got, wanted = "".join(pushed) + rest, tokenizer.whole(range(len(pieces)))
        at = len(commonprefix([got, wanted]))
        expect(
            got == wanted,
            "a long answer must be as right at its end as at its beginning",
            sent=f"{len(pieces)} tokens: {what}",
            got=f"{got[at : at + 20]!r} after {at} right characters",
            expected=f"{wanted[at : at + 20]!r} there",
        )
        expect(
            tokenizer.longest <= 64 and tokenizer.decoded <= 64 * len(pieces),
            why,
            sent=f"{len(pieces)} tokens: {what}",
            got=f"up to {tokenizer.longest} ids decoded at once, {tokenizer.decoded} in all",
            expected="the last few each time: at most 64 at once",
        )


def test_two_answers(new_text):
    """Two answers at the same time keep their halves apart."""
    tokenizer = Tokenizer(b"\xe6\x97", b"\xa5", b"\xf0\x9f", b"\x99\x82")
    with case("日 and 🙂, two tokens each, in two answers by turns"):
        first, second = new_text(tokenizer.decode), new_text(tokenizer.decode)
        pieces = [first.push(0), second.push(2), first.push(1), second.push(3)]
    expect(
        pieces == ["", "", "日", "🙂"],
        "the worker computes many answers by turns, each with an IncrementalText of its own",
        sent="日 and 🙂, two tokens each, in two answers by turns",
        got=pieces,
        expected=["", "", "日", "🙂"],
    )


def test_every_short_answer(new_text):
    """Every answer of up to four tokens: only grows, lags behind no more than it must, loses none.

    With a tokenizer that drops the first space, and with one that keeps it.
    """
    pieces = (" a", " ", "b", "", b"\xe6", b"\x97\xa5", b"\xa5 ")
    for drops_space in (True, False):
        tokenizer = Tokenizer(*pieces, drops_space=drops_space)
        for ids in product(range(len(pieces)), repeat=4):
            text, shown = new_text(tokenizer.decode), ""
            for number, token in enumerate(ids, 1):
                shown += text.push(token)
                due = tokenizer.whole(ids[:number])
                if due.endswith(HALF):
                    if shown.endswith(HALF):
                        _too_early(tokenizer, ids[:number], shown, due)
                elif shown != due:
                    _differs(tokenizer, ids[:number], shown, due)
            shown += text.flush()
            if shown != tokenizer.whole(ids):
                _differs(tokenizer, ids, shown, tokenizer.whole(ids))


def _too_early(tokenizer, ids, shown: str, due: str) -> None:
    fail(
        "each HALF at the end may still become part of a character, and what was shown cannot be "
        "taken back: none of them is shown yet, also where several stand there",
        sent=f"the tokens {[tokenizer.pieces[i] for i in ids]}, whose text is {due!r} so far",
        got=f"{shown!r}, joined",
        expected=f"{due.rstrip(HALF)!r}, or less",
    )


def _differs(tokenizer, ids, shown: str, due: str) -> None:
    fail(
        "what a reader sees must be the answer's text, whatever tokens it came in",
        sent=f"the tokens {[tokenizer.pieces[i] for i in ids]}, to a tokenizer that "
        + ("drops" if tokenizer.drops_space else "keeps")
        + " a space in front of the first",
        got=f"{shown!r}, joined",
        expected=repr(due),
    )

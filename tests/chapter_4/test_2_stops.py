"""Task 4.2: StopStrings, also where a stop string is spread over several tokens."""

from itertools import product

import pytest

from chapters.course.checking import case, expect, fail, provided


@pytest.fixture
def new_stops():
    return provided("chapters.ch04_streaming.stops", "StopStrings")


def told(new_stops, stop, *texts) -> tuple[list[str], str, bool]:
    """What `feed` returned for each text, what `flush` did, and `stopped` before that."""
    with case(f"stop {list(stop)}, the texts {list(texts)}, then flush"):
        stops = new_stops(stop)
        fed = [stops.feed(text) for text in texts]
        stopped, rest = bool(stops.stopped), stops.flush()
    expect(
        bool(stops.stopped) == stopped,
        "`stopped` says that a stop string was met, and the finish reason is made from it; "
        "an answer may also end because of its limit",
        sent=f"stop {list(stop)}, the texts {list(texts)}, then flush",
        got=f"stopped {stopped} before flush, {bool(stops.stopped)} after it",
        expected=f"{stopped} both times: flush meets no stop string",
    )
    return fed, rest, stopped


def show(fed, rest, stopped) -> str:
    return f"{fed}, then {rest!r} from flush; stopped {stopped}"


def test_no_stop_strings(new_stops):
    """Without stop strings, or where none begins, all text passes at once."""
    for stop in ((), ("END", "###")):
        got = told(new_stops, stop, "Hel", "", "lo, ", "world")
        expect(
            got == (["Hel", "", "lo, ", "world"], "", False),
            "most answers meet no stop string, and their text must not wait for one",
            sent=f"stop {list(stop)}, the texts 'Hel', '', 'lo, ', 'world'",
            got=show(*got),
            expected="each as it came, '' from flush, stopped False",
        )


def test_stop_within_one_text(new_stops):
    """The text in front of a stop string is the last that passes."""
    got = told(new_stops, ["lo"], "Hello there", " and lo", "!")
    expect(
        got == (["Hel", "", ""], "", True),
        "the stop string is no part of the answer, and neither is what comes after it",
        sent="stop ['lo'], the texts 'Hello there', ' and lo', '!', then flush",
        got=show(*got),
        expected="'Hel', then nothing, and stopped True",
    )


def test_stop_over_several_texts(new_stops):
    """A stop string in three pieces: none of it is shown, and nothing before it is lost."""
    got = told(new_stops, ["<|end|>"], "Bye <", "|en", "", "d|> more")
    expect(
        got == (["Bye ", "", "", ""], "", True),
        "its first half looks like ordinary text; once shown, it cannot be taken back",
        sent="stop ['<|end|>'], the texts 'Bye <', '|en', '', 'd|> more', then flush",
        got=show(*got),
        expected="'Bye ', then nothing, and stopped True",
    )


def test_false_alarm(new_stops):
    """What looked like a stop string and was none is shown as soon as that is clear."""
    got = told(new_stops, ["<|end|>"], "a <|e", "mu", " <", "- b")
    expect(
        got == (["a ", "<|emu", " ", "<- b"], "", False),
        "text that is held back for too long, or for ever, is missing from the answer",
        sent="stop ['<|end|>'], the texts 'a <|e', 'mu', ' <', '- b'",
        got=show(*got),
        expected="'a ', '<|emu', ' ', '<- b'",
    )


def test_flush(new_stops):
    """An answer that ends with the beginning of a stop string keeps it."""
    got = told(new_stops, ["###"], "a #", "#")
    expect(
        got == (["a ", ""], "##", False),
        "the model ended here, so this is no stop string: it is the end of the answer",
        sent="stop ['###'], the texts 'a #' and '#', then flush",
        got=show(*got),
        expected="'a ', '', then '##' from flush, stopped False",
    )


def test_stop_strings_as_they_are(new_stops):
    """A stop string is taken as it is: its spaces, its case, its dots, all of its letters."""
    long = "<" + "-" * 200 + ">"
    for stop, texts, fed, rest, stopped, why in (
        (
            ["\n\n"],
            ["a\n", "b\n", "\nc"],
            ["a", "\nb", ""],
            "",
            True,
            "two line ends are the stop string that is used most: stripped, nothing is left of it",
        ),
        (["\n\n"], ["a\n"], ["a"], "\n", False, "a line end that is no stop string is text"),
        (
            ["\nUser:"],
            ["Hi User: ", "\n", "User: me"],
            ["Hi User: ", "", ""],
            "",
            True,
            "the line end is part of it: without that, a word in the middle of a line would stop",
        ),
        (
            ["END\n"],
            ["END x", " END\n"],
            ["END x", " "],
            "",
            True,
            "the line end is part of it: the same word in the middle of a line is text",
        ),
        (["END"], ["the end, ", "END"], ["the end, ", ""], "", True, "'end' is another string"),
        (
            ["終わり"],
            ["日本終", "わり!"],
            ["日本", ""],
            "",
            True,
            "most of the world's text is not ASCII",
        ),
        (["a.c"], ["abc ", "a.c"], ["abc ", ""], "", True, "it is a text and no pattern"),
        (
            ["1", "2", "3", "4"],
            ["a", "4"],
            ["a", ""],
            "",
            True,
            "a request may have four of them, and each counts",
        ),
        (
            [long],
            ["x" + long[:2], long[2:100], long[100:]],
            ["x", "", ""],
            "",
            True,
            "what may still become a stop string has to wait, however long it is",
        ),
    ):
        got = told(new_stops, stop, *texts)
        expect(
            got == (fed, rest, stopped),
            why,
            sent=f"stop {stop}, the texts {texts}, then flush",
            got=show(*got),
            expected=show(fed, rest, stopped),
        )


def test_several_stop_strings(new_stops):
    """Of several complete stop strings, the one that begins first counts."""
    for stop in (["world", "o w"], ["o w", "world"]):
        got = told(new_stops, stop, "hello world", "!")
        expect(
            got == (["hell", ""], "", True),
            "a client that gives several strings wants to see none of them",
            sent=f"stop {stop}, the texts 'hello world' and '!'",
            got=show(*got),
            expected="'hell', then nothing, and stopped True",
        )
    got = told(new_stops, ["xyz", "aab"], "1aa", "xy", "xaab2")
    expect(
        got == (["1", "aa", "xyx"], "", True),
        "each stop string may begin anywhere: one of them ends the answer, the other is held back",
        sent="stop ['xyz', 'aab'], the texts '1aa', 'xy', 'xaab2'",
        got=show(*got),
        expected="'1', 'aa', 'xyx', and stopped True",
    )
    for text, wanted, why in (
        (
            "abcd",
            "",
            "where one ends first and another begins first, the one that begins first counts: a "
            "client that gave it wants to see nothing of it",
        ),
        (
            "abc",
            "a",
            "'bc' is complete, and so the answer ends; whoever waits for a longer one that began "
            "earlier lets the model write on, for nobody",
        ),
    ):
        got = told(new_stops, ["abcd", "bc"], text, "x")
        expect(
            got == ([wanted, ""], "", True),
            why,
            sent=f"stop ['abcd', 'bc'], the texts {text!r} and 'x', then flush",
            got=show(*got),
            expected=f"{wanted!r}, then nothing, and stopped True",
        )


def test_two_answers(new_stops):
    """Two answers at the same time: what one holds back, or stops, is nothing to the other."""
    with case("two answers with stop ['###']: '##' to one, '#b' to the other, '#' to the first"):
        first, second = new_stops(["###"]), new_stops(["###"])
        got = [first.feed("##"), second.feed("#b"), first.feed("#"), second.stopped]
    expect(
        got == ["", "#b", "", False] and first.stopped,
        "otherwise one client's text appears in another's answer, or ends it",
        sent="'##' to one answer, '#b' to the other, '#' to the first; stop is ['###']",
        got=f"{got[:3]}, stopped {first.stopped} and {second.stopped}",
        expected="'', '#b', '', stopped True and False",
    )


def test_every_way_to_cut(new_stops):
    """However the text is cut into pieces, the same is shown, and as soon as it may be."""
    for stop in (
        ["ab"],
        ["aab"],
        ["abab"],
        ["abb"],
        ["abab", "ba"],
        ["bb", "abba", "aa"],
        ["abb", "ab"],
    ):
        for text in map("".join, product("ab", repeat=6)):
            for cuts in product((False, True), repeat=5):
                stops, shown, seen, due = new_stops(stop), "", "", None
                for piece in _cut(text, cuts):
                    seen += piece
                    shown += stops.feed(piece)
                    if due is None and any(s in seen for s in stop):
                        due = seen[: min(seen.find(s) for s in stop if s in seen)]
                    wanted = (_sure(seen, stop), False) if due is None else (due, True)
                    if (shown, bool(stops.stopped)) != wanted:
                        _differs(stop, seen, piece, shown, stops.stopped, wanted)
                shown += stops.flush()
                wanted = (seen, False) if due is None else (due, True)
                if shown != wanted[0]:
                    _differs(stop, seen, "flush", shown, stops.stopped, wanted)


def _cut(text: str, cuts) -> list[str]:
    pieces = text[0]
    for letter, cut in zip(text[1:], cuts, strict=True):
        pieces += ("|" if cut else "") + letter
    return pieces.split("|")


def _sure(seen: str, stop: list[str]) -> str:
    """What can be no part of a stop string any more."""
    longest = max(n for s in stop for n in range(len(s)) if seen.endswith(s[:n]))
    return seen[: len(seen) - longest]


def _differs(stop, seen, last, shown, stopped, wanted) -> None:
    fail(
        "a client must see neither more nor less, whatever tokens the text came in",
        sent=f"stop {stop}, the text {seen!r} in pieces, {last!r} last",
        got=f"{shown!r} shown so far; stopped {stopped}",
        expected=f"{wanted[0]!r}; stopped {wanted[1]}",
    )

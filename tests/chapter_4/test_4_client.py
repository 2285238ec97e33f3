"""Task 4.4: EventParser and read_answer, a client that trusts no read boundary."""

import json
from itertools import combinations_with_replacement

import pytest

from chapters.course.checking import case, expect, fail, provided

CLIENT = "chapters.ch04_streaming.client"
DONE = b"data: [DONE]\n\n"


@pytest.fixture
def parse():
    """parse(*reads): what `feed` of a new parser returned for each."""
    new_parser = provided(CLIENT, "EventParser")

    def feed_all(*reads):
        with case(list(reads)):
            parser = new_parser()
            return [list(parser.feed(read)) for read in reads]

    return feed_all


@pytest.fixture
def read_answer():
    function = provided(CLIENT, "read_answer")

    def call(*reads):
        with case(list(reads)):
            return function(iter(reads))

    return call


def chunk(content=None, reason=None, **more) -> bytes:
    """A chunk's event, in UTF-8: other servers send it like this."""
    delta = {} if content is None else {"content": content}
    data = {"id": "1", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} | more
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def test_one_event_a_read(parse):
    """An event is returned by the read that brings its empty line; [DONE] is one like others."""
    reads = [b"data: one\n\n", b"data: two", b"\n", b"\n", b"", DONE]
    got = parse(*reads)
    expect(
        got == [["one"], [], [], ["two"], [], ["[DONE]"]],
        "a word that came whole should be shown now, and half of one not yet",
        sent=reads,
        got=got,
        expected=[["one"], [], [], ["two"], [], ["[DONE]"]],
    )


def test_many_events_a_read(parse):
    """Several events in one read are all returned, in order; a beginning waits for its rest."""
    reads = [b"data: one\n\ndata: two\n\ndata: thr", b"ee\n\ndata: four\n\n"]
    got = parse(*reads)
    expect(
        got == [["one", "two"], ["three", "four"]],
        "what a read returns is decided by the network, not by the server's writes",
        sent=reads,
        got=got,
        expected=[["one", "two"], ["three", "four"]],
    )


def test_other_fields(parse):
    """Comments and other fields are skipped; only one space after the colon is left out."""
    sent = (
        b": keep-alive\n\nevent: word\nid: 7\ndata:  two spaces\nretry: 10\n\n"
        b"data:none\n\nid: 8\n\nDATA: no\ndatax: no\n: data: no\n\ndata: a: b\n\ndata\n\n"
    )
    got = [event for events in parse(sent) for event in events]
    expect(
        got == [" two spaces", "none", "a: b", ""],
        "servers and proxies send comments to keep a connection open: they are no events",
        sent=sent,
        got=got,
        expected=[" two spaces", "none", "a: b", ""],
    )


def test_spaces(parse):
    """Names and values are taken as they are: but for that one space, white space is text."""
    for sent, wanted, why in (
        (b"data: end  \n\n", ["end  "], "the spaces at a value's end are part of it"),
        (b"data:\ttab\n\n", ["\ttab"], "only a space is left out after the colon, and no tab"),
        (b" data: x\ndata : y\ndata: z\n\n", ["z"], "a name with a space is another name"),
        (b"data: a\n \ndata: b\n\n", ["a\nb"], "a line with a space in it is not empty"),
    ):
        got = [event for events in parse(sent) for event in events]
        expect(got == wanted, why, sent=sent, got=got, expected=wanted)


def test_several_data_lines(parse):
    """The data lines of one event are joined by LF."""
    sent = b"data: {\ndata:   1\n: hm\ndata\nother: x\ndata: }\n\ndata: next\n\n"
    got = parse(sent)
    expect(
        got == [["{\n  1\n\n}", "next"]],
        "an object may be sent over several lines, and is parsed as one; a comment or another "
        "field between them changes nothing",
        sent=sent,
        got=got,
        expected=[["{\n  1\n\n}", "next"]],
    )
    sent = b"data\ndata: a\ndata:\n\n"
    got = parse(sent)
    expect(
        got == [["\na\n"]],
        "an empty data line is a line of the text, also as the first or the last",
        sent=sent,
        got=got,
        expected=[["\na\n"]],
    )


def test_two_streams():
    """Two streams at the same time: what waits in one is nothing to the other."""
    new_parser = provided(CLIENT, "EventParser")
    with case("'data: a' and its line end to one parser; an event to another; the first's end"):
        first, second = new_parser(), new_parser()
        got = [list(first.feed(b"data: a\nda")), list(second.feed(b"data: b\n\n"))]
        got.append(list(first.feed(b"ta: c\n\n")))
    expect(
        got == [[], ["b"], ["a\nc"]],
        "a client reads many answers at once; one's words would appear in another's",
        sent="to one parser b'data: a\\nda', to another b'data: b\\n\\n', then to the first "
        "b'ta: c\\n\\n'",
        got=got,
        expected=[[], ["b"], ["a\nc"]],
    )


def test_line_ends(parse):
    """LF, CR LF and CR end a line; U+2028 and its like in the text do not."""
    odd = "x\u2028y\u0085z\x0bw\x0cv"
    for end in ("\n", "\r\n", "\r"):
        sent = f"data: one{end}data: two{end}{end}data: {odd}{end}{end}: end{end}".encode()
        got = [event for events in parse(sent) for event in events]
        expect(
            got == ["one\ntwo", odd],
            "all three are in use; a line that ends elsewhere would be a broken object",
            sent=sent,
            got=got,
            expected=["one\ntwo", odd],
        )
    reads = [b"data: one\r\r", b"data: two\r", b"\r", b"\ndata: x\r\n\r", b"\ndata: [DONE]\r\r"]
    got = parse(*reads)
    expect(
        got == [["one"], [], ["two"], ["x"], ["[DONE]"]],
        "a CR ends its line at once: a client that waits, since an LF may follow, has each event "
        "a read too late, and the last one never",
        sent=reads,
        got=got,
        expected="each event from the read that brings the last CR of it; an LF after that CR, in "
        "the next read, ends nothing more",
    )


def test_utf_8(parse):
    """A byte order mark at the very beginning is no text; bytes that are no UTF-8 are U+FFFD."""
    mark = "\ufeff".encode()
    for reads in ([mark + b"data: one\n\n"], [mark[:1], mark[1:], b"data: one\n\n"]):
        got = [event for events in parse(*reads) for event in events]
        expect(
            got == ["one"],
            "some servers begin with a byte order mark (EF BB BF): taken for text, it becomes part "
            "of the first field's name, and the first event is lost",
            sent=reads,
            got=got,
            expected=["one"],
        )
    reads = [b"data: one\n\n", b"data: \xef\xbb\xbftwo\n\n"]
    got = [event for events in parse(*reads) for event in events]
    expect(
        got == ["one", "\ufefftwo"],
        "anywhere but at the very beginning these bytes are a character of the text",
        sent=reads,
        got=got,
        expected=["one", "\ufefftwo"],
    )
    sent = b"data: a\xffb\n\ndata: c\n\n"
    try:
        got = [event for events in parse(sent) for event in events]
    except UnicodeError as error:
        got = repr(error)
    expect(
        got == ["a\ufffdb", "c"],
        "one broken byte of a server must not cost the rest of the answer",
        sent=sent,
        got=got,
        expected=["a\ufffdb", "c"],
    )


def test_every_place_to_cut(parse):
    """Wherever the bytes are cut, between CR and LF or inside a character, nothing changes."""
    sent = "data: a日🙂\r\n\r\n: hm\r\n\r\ndata: b\r\ndata: c\r\n\r\ndata: é\r\rdata: [DONE]\n\n"
    wanted = ["a日🙂", "b\nc", "é", "[DONE]"]
    raw = sent.encode()
    cuts = combinations_with_replacement(range(len(raw) + 1), 2)  # a read may have had nothing
    ways = [[raw[:a], raw[a:b], raw[b:]] for a, b in cuts]
    for reads in ([raw], *ways, [raw[i : i + 1] for i in range(len(raw))]):
        got = [event for events in parse(*reads) for event in events]
        if got != wanted:
            fail(
                "the network cuts where it likes, and differently each time: a fault like this is "
                "seen once a day, and never on the machine where it is looked for",
                sent=list(reads),
                got=got,
                expected=wanted,
            )


def test_the_whole_answer(read_answer):
    """read_answer joins the pieces up to [DONE]; chunks without text add nothing."""
    first = {"role": "assistant", "content": None}
    role = {"choices": [{"index": 0, "delta": first, "finish_reason": None}]}
    usage = {"choices": [], "usage": {"completion_tokens": 4}}
    sent = chunk(**role) + chunk("日") + chunk() + chunk(" 本\n") + chunk(**usage) + DONE
    for reads in ([sent], [sent[i : i + 1] for i in range(len(sent))], [sent[:77], sent[77:]]):
        got = read_answer(*reads)
        expect(
            got == "日 本\n",
            "these are the words that the user came for",
            sent=reads if len(reads) < 3 else "the same, a byte at a time",
            got=got,
            expected="日 本\n",
        )
    text = {"role": "assistant", "content": "c"}
    both = {"choices": [{"index": 0, "delta": text, "finish_reason": None}]}
    for what, sent, wanted, why in (
        (
            "chunks with the texts 'a', 'a', ' ', ' ', '\\n', 'b'",
            [chunk("a"), chunk("a"), chunk(" "), chunk(" "), chunk("\n"), chunk("b")],
            "aa  \nb",
            "the same token may come twice in a row, and white space is text",
        ),
        (
            "a chunk with a text about errors",
            [chunk('an "error" is {"error": 1}')],
            'an "error" is {"error": 1}',
            "an answer may be about errors: only an object that has `error` is one",
        ),
        (
            "usage, 'a', 'b' with a finish reason, 'c' with a role, usage",
            [chunk(**usage), chunk("a"), chunk("b", "stop"), chunk(**both), chunk(**usage)],
            "abc",
            "text may stand beside a role or a finish reason, and a chunk without choices "
            "anywhere: only [DONE] is the end",
        ),
        (
            "an empty read, 'a', an empty read, 'b'",
            [b"", chunk("a"), b"", chunk("b")],
            "ab",
            "a read may have had nothing (what came was only a part of something compressed, say): "
            "the end of `reads` is the end of the response, and nothing else",
        ),
    ):
        refused = _refused(read_answer, *sent, DONE)
        got = read_answer(*sent, DONE) if refused is None else f"StreamError: {refused}"
        sent = f"{what}, then [DONE]"
        expect(got == wanted, why, sent=sent, got=repr(got), expected=repr(wanted))
    for after in (chunk("more"), b"data: bye\n\n"):
        for reads in ([chunk("Hel") + DONE + after], [chunk("Hel") + DONE, after]):
            got = read_answer(*reads)
            expect(
                got == "Hel",
                "[DONE] is where the answer ends, wherever the connection does",
                sent=reads,
                got=got,
                expected="Hel",
            )


def test_the_end_is_missing(read_answer):
    """A stream that ends without [DONE] raises StreamError, wherever it breaks off."""
    said = chunk("Hel")
    usage = chunk(choices=[], usage={"completion_tokens": 4})
    ended = said + chunk("", "stop")
    cut = said + chunk("lo")[:-9]
    for sent in (b"", said, cut, chunk("[DONE]"), ended, ended + usage):
        try:
            error = _refused(read_answer, sent)
        except ValueError as broken:
            fail(
                "an event that has not ended is none: what there is of it is not parsed, and "
                "nothing of another answer stands in front of it",
                sent=sent,
                got=f"{type(broken).__name__}: {broken}",
                expected="StreamError: whoever calls catches just that",
            )
        if error is None:
            fail(
                "a connection that breaks ends the bytes just like a good one: half an answer "
                "would be stored as a whole one",
                sent=sent,
                got="a text, as if this were all of it",
                expected="StreamError",
            )
        expect(
            error.strip() != "",
            "whoever reads the log must see that the end was missing, and not only that it failed",
            sent=sent,
            got="StreamError, without a word",
            expected="StreamError with a text that says so",
        )


def test_an_error_in_the_stream(read_answer):
    """An error event raises StreamError with the server's message."""
    error = b'data: {"error": {"message": "out of memory", "type": "server_error"}}\n\n'
    for before, after in ((chunk("Hel"), DONE), (b"", DONE), (chunk("Hel"), b"")):
        got = _refused(read_answer, before + error + after)
        expect(
            got is not None and "out of memory" in got,
            "the status was 200 long before this happened, so it is found nowhere else, whatever "
            "comes before and after it",
            sent=("'Hel', then" if before else "no text, but")
            + " an error event with the message 'out of memory', then "
            + ("[DONE]" if after else "the end of the bytes"),
            got="a text, as if all were well" if got is None else f"StreamError: {got}",
            expected="StreamError, with 'out of memory' in its text",
        )


def _refused(read_answer, *reads) -> str | None:
    """The message of the StreamError that these reads raise; None if they give an answer."""
    try:
        read_answer(*reads)
    except provided(CLIENT, "StreamError") as error:
        return str(error)
    return None

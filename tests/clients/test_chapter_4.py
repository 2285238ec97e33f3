"""Chapter 4's reference server, streaming to real clients over a real socket; and its text."""

import asyncio
import json
import random
import subprocess
from importlib import import_module
from itertools import pairwise

import httpx
import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

from chapters.core import CHAT, TEXT, ScriptedCore, WholeText
from chapters.core.embedded import folder
from chapters.course import graft
from chapters.course.manifest import course

SAYS = {
    "Hi": ["Hel", "lo", " wor", "ld"],
    "halves": ["a", b"\xe6", b"\x97", b"\xa5\xf0\x9f", b"\x99\x82", b"\xc3"],
    "lines": ["one\u2028two\u2029", "three\u0085", "\r\n", "\n\n", "data: [DONE]\n\n"],
    "stop": ["1 ", "<|", "en", "d", "|>", " 2"],
    "bug": [ValueError("out of memory")],
    "trouble": ["Hel", ValueError("out of memory")],
}
ODD = [
    "word",
    " two",
    " ",
    "\n\n",
    "日本",
    b"\xe6",
    b"\x97\xa5",
    b"\xf0\x9f\x99",
    b"\x82!",
    b"\xff",
]


def script(said: str):
    """What SAYS names; else, for "seed 5", tokens that this seed has drawn."""
    drawn = random.Random(said)
    return SAYS.get(said) or drawn.choices(ODD, k=drawn.randrange(1, 40))


@pytest.fixture(scope="module")
def url(serving):
    with serving(4, ScriptedCore(script, max_context=300)) as address:
        yield address


@pytest.fixture
def client(url):
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def reference():
    """`reference(file, name)`: something of this chapter's reference."""
    graft.install(graft.references(course()[4]))
    return lambda file, name: getattr(import_module(f"chapters.ch04_streaming.{file}"), name)


def chat(said, **fields) -> dict:
    return {"model": "scripted", "messages": [{"role": "user", "content": said}]} | fields


def text_of(chunks) -> str:
    return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)


def raw(url, body, path=CHAT.path) -> list:
    """The data of a stream's events: objects, and "[DONE]"."""
    answer = httpx.post(url + path, json=body | {"stream": True})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.content.isascii() and answer.content.endswith(b"\n\n")
    blocks = answer.text.split("\n\n")[:-1]
    assert all(block.startswith("data: ") and "\n" not in block for block in blocks)
    return [b[6:] if b == "data: [DONE]" else json.loads(b[6:]) for b in blocks]


def test_openai_chat_streams(client):
    chunks = list(client.chat.completions.create(**chat("Hi"), stream=True))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [c.choices[0].delta.content for c in chunks[1:-1]] == ["Hel", "lo", " wor", "ld"]
    assert [c.choices[0].finish_reason for c in chunks] == [None] * 5 + ["stop"]
    assert {c.object for c in chunks} == {"chat.completion.chunk"}
    assert len({(c.id, c.created, c.model) for c in chunks}) == 1 and chunks[0].model == "scripted"
    assert all(c.usage is None for c in chunks)


def test_openai_streams_a_completion(client):
    chunks = list(client.completions.create(model="scripted", prompt="Hi", stream=True))
    assert [c.choices[0].text for c in chunks] == ["Hel", "lo", " wor", "ld", ""]
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert {c.object for c in chunks} == {"text_completion"} and len({c.id for c in chunks}) == 1


def test_openai_streams_to_a_limit(client):
    asked = chat("Hi", max_tokens=2)
    chunks = list(client.chat.completions.create(**asked, stream=True))
    assert text_of(chunks) == "Hello"
    assert chunks[-1].choices[0].finish_reason == "length"


@pytest.mark.parametrize("said", ["Hi", "halves"])
def test_openai_usage_at_the_end(client, said):
    options = {"include_usage": True}
    chunks = list(client.chat.completions.create(**chat(said), stream=True, stream_options=options))
    assert chunks[-1].choices == [] and all(c.usage is None for c in chunks[:-1])
    assert chunks[-1].usage == client.chat.completions.create(**chat(said)).usage
    assert chunks[-1].usage.completion_tokens == len(SAYS[said]) + 1


@pytest.mark.parametrize("at_end", [False, True])
def test_openai_usage_in_every_chunk(client, at_end):
    options = {"continuous_usage_stats": True, "include_usage": at_end}
    chunks = list(client.chat.completions.create(**chat("Hi"), stream=True, stream_options=options))
    counts = [c.usage.completion_tokens for c in chunks]
    assert counts == [0, 1, 2, 3, 4, 5] + [5] * at_end
    assert all(
        c.usage.total_tokens == c.usage.prompt_tokens + n
        for c, n in zip(chunks, counts, strict=True)
    )


def test_a_stream_of_a_completion_has_usage_too(url):
    asked = {"prompt": "Hi", "stream_options": {"include_usage": True}}
    *_, last, done = raw(url, asked, TEXT.path)
    assert (last["choices"], last["usage"]["completion_tokens"], done) == ([], 5, "[DONE]")


@pytest.mark.parametrize("seed", range(25))
def test_streamed_or_not_the_same_seed_gives_the_same_answer(client, seed):
    asked = chat(f"seed {seed}", seed=seed, stop=["word word", "two\n"], max_tokens=30)
    whole = client.chat.completions.create(**asked)
    options = {"include_usage": True}
    chunks = list(client.chat.completions.create(**asked, stream=True, stream_options=options))
    reasons = [c.choices[0].finish_reason for c in chunks if c.choices]
    assert text_of(chunks) == whole.choices[0].message.content
    assert [r for r in reasons if r] == [whole.choices[0].finish_reason]
    assert chunks[-1].usage == whole.usage


def test_openai_async_eight_streams_at_once(url):
    async def ask(client, said):
        stream = await client.chat.completions.create(**chat(said), stream=True)
        return text_of([chunk async for chunk in stream])

    async def together():
        async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none") as client:
            return await asyncio.gather(*(ask(client, f"seed {n}") for n in range(8)))

    wanted = []
    for number in range(8):
        pieces = script(f"seed {number}")
        joined = b"".join(p if isinstance(p, bytes) else p.encode() for p in pieces)
        wanted.append(joined.decode(errors="replace"))
    assert asyncio.run(together()) == wanted


def test_the_first_text_is_there_before_the_second_token(serving):
    core = ScriptedCore(SAYS, gated=True)
    with serving(4, core) as url:
        try:
            core.allow(1)
            with httpx.stream("POST", url + CHAT.path, json=chat("Hi", stream=True)) as answer:
                for read in answer.iter_raw():
                    if b"Hel" in read:
                        core.open()
        finally:
            core.open()
    assert b"[DONE]" in read


def test_a_character_is_sent_when_it_is_whole(url):
    chunks = raw(url, chat("halves"))[1:-2]
    pieces = [chunk["choices"][0]["delta"].get("content") for chunk in chunks]
    assert "".join(pieces) == "a日🙂\ufffd" and "\ufffd" not in "".join(pieces[:-1])


@pytest.mark.parametrize("said, stop, text", [("stop", "<|end|>", "1 "), ("Hi", "lo wo", "Hel")])
def test_a_stop_string_across_tokens_is_never_seen(client, said, stop, text):
    chunks = list(client.chat.completions.create(**chat(said, stop=stop), stream=True))
    assert text_of(chunks) == text
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_half_a_stop_string_at_the_end_is_text(client):
    chunks = client.chat.completions.create(**chat("Hi", stop=["ld!"]), stream=True)
    assert text_of(chunks) == "Hello world"


def test_line_ends_of_every_kind_arrive(client, url):
    wanted = "".join(SAYS["lines"])
    assert text_of(client.chat.completions.create(**chat("lines"), stream=True)) == wanted
    assert raw(url, chat("lines"))[-1] == "[DONE]"


def test_without_stream_the_answer_is_json(url):
    answer = httpx.post(url + CHAT.path, json=chat("Hi", stream=False))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["choices"][0]["message"]["content"] == "Hello world"


EARLY = {
    "a field that is wrong": (chat("Hi", temperature=9), 400, "temperature"),
    "a prompt over the context": (chat("x" * 400), 400, "messages"),
    "a limit over the room left": (chat("Hi", max_tokens=295), 400, "max_tokens"),
    "an unknown model": (chat("Hi", model="gpt-9"), 404, "model"),
    "a core that fails at once": (chat("bug"), 500, None),
}


@pytest.mark.parametrize("body, status, param", EARLY.values(), ids=EARLY)
def test_before_the_first_byte_an_error_is_a_status_streamed_or_not(url, body, status, param):
    whole, streamed = (
        httpx.post(url + CHAT.path, json=body | {"stream": stream}) for stream in (False, True)
    )
    assert (streamed.status_code, streamed.json()) == (whole.status_code, whole.json())
    assert (streamed.status_code, streamed.json()["error"]["param"]) == (status, param)
    assert streamed.headers["content-type"] == "application/json"


def test_after_the_first_byte_an_error_is_an_event(url, client):
    options = {"include_usage": True}
    *_, text, error, done = raw(url, chat("trouble", stream_options=options))
    assert text["choices"][0]["delta"] == {"content": "Hel"}
    assert error["error"]["type"] == "server_error" and "out of memory" in error["error"]["message"]
    assert done == "[DONE]"
    stream = client.chat.completions.create(**chat("trouble"), stream=True)
    with pytest.raises(openai.APIError, match="out of memory"):
        list(stream)


def test_nothing_is_left_of_a_stream(url, client):
    list(client.chat.completions.create(**chat("Hi"), stream=True))
    stats = httpx.get(f"{url}/stats").json()
    assert (stats["open"], stats["running"], stats["kv_tokens"]) == (0, 0, 0)


def test_curl_streams(url):
    command = ["curl", "-sSN", url + CHAT.path, "-d", json.dumps(chat("Hi", stream=True))]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert done.stdout.startswith("data: {") and done.stdout.endswith("\n\ndata: [DONE]\n\n")


@pytest.fixture(scope="module")
def recorded(url):
    """The bytes of one stream."""
    return httpx.post(url + CHAT.path, json=chat("halves", stream=True)).content


@settings(deadline=None)
@given(cuts=st.sets(st.integers(1, 1500), max_size=12))
def test_our_own_client_reads_it_however_it_is_cut(recorded, reference, cuts):
    places = [0, *sorted(cut for cut in cuts if cut < len(recorded)), len(recorded)]
    reads = [recorded[a:b] for a, b in pairwise(places)]
    assert reference("client", "read_answer")(reads) == "a日🙂\ufffd"


# Text: ids of real and of made tokenizers.

HALF = "\ufffd"
SAMPLES = [
    "Hello, world!  Two spaces,\n\n\tand a tab. ",
    " leading space",
    "日本語を話します。数字は１２３。한국어도 합니다",
    "👩‍👩‍👧‍👦 and 🏳️‍🌈 and 👍🏽 and 🇯🇵",
    "e\u0301 and n\u0303 and Z\u0351\u036b\u0343 and \u0928\u092e\u0938\u094d\u0924\u0947",
    "one\u2028two\u2029three\u0085four\u200bfive",
    "def f(x):\n    return {'a': x[1:]}  # é",
]


def real() -> Tokenizer:
    """The embedded model's tokenizer: byte-level, no beginning-of-text token, spaces kept."""
    return Tokenizer.from_file(str(folder() / "tokenizer.json"))


def metaspace() -> Tokenizer:
    """The other kind: whole characters, ▁ for a space, one dropped in front, and a BOS token."""
    letters = sorted(set("".join(SAMPLES)) - {" "})
    words = ["▁", "▁and", "▁two", "▁▁", "Two", *letters]
    vocabulary = [("<unk>", -99.0), ("<s>", 0.0), *((word, -1.0) for word in words)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=0, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)]
    )
    tokenizer.add_special_tokens(["<s>"])
    return tokenizer


def nasty(tokenizer) -> list[int]:
    """Ids with half characters, with spaces only, or with no text: among random ones, few are."""
    ids = range(min(2000, tokenizer.get_vocab_size()))
    texts = {i: tokenizer.decode([i], skip_special_tokens=True) for i in ids}
    return [i for i, text in texts.items() if HALF in text or not text.strip()]


@pytest.fixture(scope="module")
def kinds():
    """Name → (tokenizer, its nasty ids)."""
    made = {"real": real(), "metaspace": metaspace()}
    return {name: (tokenizer, nasty(tokenizer)) for name, tokenizer in made.items()}


@pytest.fixture(scope="module")
def check_text(reference):
    """check_text(tokenizer, ids): the text only grows, and is all there is; its pieces."""
    incremental = reference("text", "IncrementalText")

    def check(tokenizer, ids) -> list[str]:
        def decode(some):
            return tokenizer.decode(list(some), skip_special_tokens=True)

        text, shown, pieces = incremental(decode), "", []
        for number, token in enumerate(ids, 1):
            pieces.append(text.push(token))
            shown += pieces[-1]
            due = decode(ids[:number])
            assert due.startswith(shown)
            assert shown == due or due.endswith(HALF)
        pieces.append(text.flush())
        assert shown + pieces[-1] == decode(ids)
        return pieces

    return check


@pytest.mark.parametrize("which", ["real", "metaspace"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_text_of_every_script_only_grows(kinds, check_text, which, sample):
    tokenizer, _ = kinds[which]
    ids = tokenizer.encode(sample).ids
    for cut in range(len(ids) + 1):
        pieces = check_text(tokenizer, ids[:cut])
        assert HALF not in "".join(pieces[:-1])
    assert "".join(pieces) == (sample if which == "real" else sample.removeprefix(" "))


@pytest.mark.parametrize("which", ["real", "metaspace"])
@settings(deadline=None)
@given(data=st.data())
def test_text_of_any_ids_only_grows(kinds, check_text, which, data):
    tokenizer, odd = kinds[which]
    ids = st.integers(0, tokenizer.get_vocab_size() - 1) | st.sampled_from(odd)
    check_text(tokenizer, data.draw(st.lists(ids)))


@settings(deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_only_grows(kinds, check_text, text):
    tokenizer, _ = kinds["real"]
    check_text(tokenizer, tokenizer.encode(text).ids)


PIECES = st.sampled_from(["a", "b", "ab", "ba", "", b"\xe6", b"\x97\xa5", "日"])


@settings(deadline=None)
@given(pieces=st.lists(PIECES), stop=st.lists(st.text("ab日", min_size=1, max_size=4), max_size=1))
def test_streamed_text_is_the_whole_text_also_where_it_stops(reference, pieces, stop):
    raw = [piece if isinstance(piece, bytes) else piece.encode() for piece in pieces]
    said = []
    for new_text in (WholeText, reference("decoder", "StreamedText")):
        text = new_text(lambda ids: b"".join(raw[i] for i in ids).decode(errors="replace"), stop)
        shown = ""
        for token in range(len(raw)):
            shown += text.push(token)
            assert not any(word in shown for word in stop)
            if text.stopped:
                break
        said.append(shown + text.flush())
    assert said[0] == said[1]

"""`Generation`, `WholeText` and the scripted core, which are the ground of every check."""

import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.core import Generation, GenerationRequest, Sampling, ScriptedCore, WholeText, generate
from chapters.core.messages import Message
from chapters.core.trace import watching

SAYS = {"Hi": ["Hel", "lo", " there"], "bug": ["ok", ValueError("broken")]}


def request(core, text="Hi", **sampling):
    return GenerationRequest("a", core.encode([Message("user", text)]), Sampling(**sampling))


def replies(text="Hi", **sampling):
    core = ScriptedCore(SAYS)
    found = list(generate(core, request(core, text, **sampling)))
    assert core.kv_tokens == 0
    return found


def test_the_end_token_counts_and_is_no_text():
    found = replies()
    assert [r.tokens for r in found] == [1, 1, 1, 1]
    assert "".join(r.text for r in found) == "Hello there"
    assert found[-1].finish_reason == "stop" and not any(r.last for r in found[:-1])


@pytest.mark.parametrize(
    "limit, text, reason", [(2, "Hello", "length"), (4, "Hello there", "stop")]
)
def test_the_limit(limit, text, reason):
    found = replies(max_tokens=limit)
    assert (found[-1].text, found[-1].finish_reason, len(found)) == (text, reason, limit)


def test_a_stop_string_across_tokens_is_cut_off_and_ends_the_work():
    found = replies(stop=("lo t",))
    assert (found[-1].text, found[-1].finish_reason, len(found)) == ("Hel", "stop", 3)


def test_the_earliest_of_several_stop_strings_wins():
    assert replies(stop=("there", "l", "o"))[-1].text == "He"


def test_no_pass_is_made_after_the_last_token():
    core = ScriptedCore(SAYS)
    list(generate(core, request(core, max_tokens=2)))
    assert core.forwards == 2


def test_an_exception_passes_through_and_leaves_nothing_behind():
    core = ScriptedCore(SAYS)
    generation = Generation(core, request(core, "bug"))
    generation.step()
    assert core.kv_tokens > 0
    with pytest.raises(ValueError, match="broken"):
        generation.step()
    assert core.kv_tokens == 0


def test_closing_early_gives_everything_back_and_may_be_done_twice():
    core = ScriptedCore(SAYS)
    generation = Generation(core, request(core))
    generation.step()
    generation.close()
    generation.close()
    assert core.kv_tokens == 0


def test_leaving_the_loop_over_replies_closes_the_generation():
    core = ScriptedCore(SAYS)
    answer = generate(core, request(core))
    next(answer)
    answer.close()
    assert core.kv_tokens == 0


@pytest.mark.parametrize("prompt, limit", [("", None), ("x" * 100, None), ("x" * 90, 11)])
def test_what_does_not_fit_is_refused_before_any_pass(prompt, limit):
    core = ScriptedCore(max_context=100)
    with pytest.raises(ValueError):
        Generation(core, GenerationRequest("a", core.encode(prompt), Sampling(limit)))
    assert core.forwards == 0


@given(st.lists(st.binary(min_size=1, max_size=3), max_size=20), st.integers(1, 25))
def test_any_script_comes_out_as_written(pieces, limit):
    core = ScriptedCore({"Hi": pieces})
    found = list(generate(core, request(core, max_tokens=limit)))
    said = b"".join(pieces[:limit]).decode(errors="replace")
    assert "".join(r.text for r in found) == said
    assert found[-1].finish_reason == ("length" if len(pieces) >= limit else "stop")


@given(st.lists(st.one_of(st.text(max_size=3), st.binary(max_size=3)), max_size=6))
def test_ids_decode_as_their_bytes_do_together(pieces):
    core = ScriptedCore({"": pieces})
    ids = list(core.generate(core.encode([Message("user", "")]), Sampling()))
    raw = b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    assert core.decode(ids) == raw.decode(errors="replace")


def test_whole_text_says_nothing_before_the_end():
    text = WholeText(ScriptedCore().decode)
    assert [text.push(token) for token in b"abc"] == ["", "", ""]
    assert text.flush() == "abc"


def test_a_gated_pass_waits_for_its_permit():
    core = ScriptedCore(SAYS, gated=True)
    found = []
    with watching() as watch:
        thread = threading.Thread(target=lambda: found.extend(generate(core, request(core))))
        thread.start()
        watch.wait_for("prefill")
        assert not watch.of("token")
        core.allow()
        watch.wait_for("decode")
        assert len(watch.of("token")) == 1
        core.open()
        thread.join()
    assert found[-1].finish_reason == "stop"
    assert [e.kind for e in watch][-2:] == ["token", "kv freed"]


def test_what_is_held_again_waits_for_new_permits():
    core = ScriptedCore(SAYS)
    tokens = core.generate(core.encode([Message("user", "")]), Sampling(5, ignore_eos=True))
    core.allow(3)  # nobody waits for them
    next(tokens)
    core.hold()
    found = []
    with watching() as watch:
        thread = threading.Thread(target=lambda: found.extend(tokens))
        thread.start()
        watch.wait_for("decode")
        core.allow(2)
        watch.wait_for("decode", 3)
        assert len(watch.of("token")) == 2
        core.open()
        thread.join()
    assert len(found) == 4


def test_the_default_script_echoes_and_counts():
    core = ScriptedCore()
    assert list(generate(core, request(core, "Hey", max_tokens=6)))[-1].text == "Hey 1 2 3"


def test_importing_the_core_loads_no_model_library():
    code = (
        "import sys, chapters.core, chapters.core.loading;"
        "print([m for m in ('torch', 'transformers', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

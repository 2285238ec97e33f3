import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chapters.core import ApiError, Body, CheckedRequest, Message, Sampling, ScriptedCore, explain
from chapters.core.checked import prepare
from chapters.core.schema import HARMLESS, NO_EFFECT

SAID = {"messages": [{"role": "user", "content": "Hi"}]}


def checked(**fields) -> CheckedRequest:
    return Body.model_validate_json(json.dumps(fields)).checked()


def refused(body: bytes | dict) -> tuple[str | None, str]:
    with pytest.raises(ValidationError) as caught:
        Body.model_validate_json(body if isinstance(body, bytes) else json.dumps(body))
    return explain(caught.value)


def test_what_is_not_said_takes_the_apis_defaults():
    assert checked(**SAID) == CheckedRequest(
        (Message("user", "Hi"),), Sampling(temperature=1.0), limit_param="max_completion_tokens"
    )


def test_every_supported_field_arrives():
    request = checked(
        **SAID,
        max_tokens=7,
        temperature=0.5,
        top_p=0.9,
        top_k=3,
        seed=11,
        stop=["a", "b"],
        ignore_eos=True,
        stream=True,
        stream_options={"include_usage": True, "continuous_usage_stats": True},
    )
    assert request.sampling == Sampling(7, 0.5, 3, 0.9, 11, ("a", "b"), True)
    assert (request.stream, request.include_usage, request.continuous_usage) == (True, True, True)
    assert request.limit_param == "max_tokens"


def test_the_developer_speaks_as_the_system():
    assert checked(messages=[{"role": "developer", "content": "x"}]).source[0].role == "system"


def test_top_k_minus_one_is_off():
    assert checked(**SAID, top_k=-1).sampling.top_k == 0


def test_a_list_with_one_prompt_is_that_prompt():
    assert checked(prompt=["Hi"]).source == checked(prompt="Hi").source == "Hi"


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_harmless_fields_change_nothing(name):
    assert checked(**SAID, **{name: "anything"}) == checked(**SAID)


@pytest.mark.parametrize("name", sorted(NO_EFFECT))
def test_fields_without_effect_pass_at_that_value_only(name):
    for value in (None, *NO_EFFECT[name]):
        assert checked(**SAID, **{name: value}) == checked(**SAID)
    param, message = refused(SAID | {name: [{"other": 1}]})
    assert param == name and "not supported" in message


def test_a_boolean_is_no_number():
    assert refused(SAID | {"n": True})[0] == "n"
    assert refused(SAID | {"logprobs": 0})[0] == "logprobs"


def test_an_unknown_field_names_the_nearest():
    assert refused(SAID | {"max_token": 3}) == (
        "max_token",
        "max_token: not a field of this API; did you mean max_tokens?",
    )


def test_a_wrong_value_is_shown_with_what_was_expected():
    assert refused(SAID | {"temperature": 3}) == (
        "temperature",
        "temperature is 3: expected at most 2.0",
    )


def test_a_long_wrong_value_is_shortened():
    assert len(refused(SAID | {"max_tokens": "9" * 1000})[1]) < 120


def test_half_a_surrogate_pair_is_refused_however_it_was_parsed():
    with pytest.raises(ValidationError) as caught:
        Body.model_validate({"messages": [{"role": "user", "content": "\ud800"}]})
    assert explain(caught.value)[0] == "messages[0].content"


def test_an_assistants_turn_comes_back_as_clients_keep_it():
    turn = {"role": "assistant", "content": "x", "refusal": None, "tool_calls": None}
    assert checked(messages=[turn]).source == (Message("assistant", "x"),)
    assert refused({"messages": [turn | {"tool_calls": [{}]}]})[0] == "messages[0]"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
fields = st.sampled_from([*Body.model_fields, *NO_EFFECT, *HARMLESS, "other"])


@given(st.dictionaries(fields, json_values) | json_values)
def test_any_json_is_taken_or_explained(value):
    try:
        Body.model_validate_json(json.dumps(value)).checked()
    except ValidationError as error:
        param, message = explain(error)
        assert message and (param is None) == (not isinstance(value, dict))


@given(st.binary())
def test_any_bytes_are_explained(body):
    try:
        json.loads(body.decode())
    except (ValueError, RecursionError):
        assert refused(body)[0] is None


def test_prepare_settles_max_tokens():
    core = ScriptedCore(max_context=100)
    assert prepare(core, CheckedRequest("x" * 40, Sampling()))[1].max_tokens == 60
    assert prepare(core, CheckedRequest("x" * 40, Sampling(60)))[1].max_tokens == 60
    assert prepare(ScriptedCore(), CheckedRequest("x", Sampling()))[1].max_tokens == 256


@pytest.mark.parametrize(
    "prompt, limit, param", [(40, 61, "max_tokens"), (40, 100, "max_tokens"), (100, 1, "prompt")]
)
def test_prepare_names_the_field_that_is_too_large(prompt, limit, param):
    core = ScriptedCore(max_context=100)
    with pytest.raises(ApiError) as caught:
        prepare(core, CheckedRequest("x" * prompt, Sampling(limit)))
    assert (caught.value.status, caught.value.param) == (400, param)
    assert "100" in caught.value.message and core.forwards == 0


def test_prepare_explains_a_model_without_a_chat_template():
    class NoTemplate(ScriptedCore):
        def encode(self, source):
            raise ValueError("this model has no chat template")

    with pytest.raises(ApiError) as caught:
        prepare(NoTemplate(), checked(**SAID))
    assert (caught.value.param, caught.value.code) == ("messages", None)

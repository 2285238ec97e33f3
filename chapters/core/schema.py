"""What a request may say: OpenAI's chat API, the part that this server can honour.

A field is in one of four groups, and none is ignored that would change the answer:

    supported    the fields of `Body`
    no effect    accepted only at the value that changes nothing (`n: 1`, `tools: []`), or null
    harmless     accepted and dropped: they never change what is generated
    unknown      refused, naming the nearest known field

Source: OpenAI's API reference, "Create chat completion" and "Create completion"; `top_k`,
`ignore_eos` and `continuous_usage_stats` are common extensions of open servers.
"""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from chapters.core.checked import CheckedRequest
from chapters.core.messages import Message, Sampling
from chapters.core.refusals import shown, wrong

NO_EFFECT: dict[str, tuple[Any, ...]] = {
    "n": (1,),
    "best_of": (1,),
    "echo": (False,),
    "suffix": ("",),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "logit_bias": ({},),
    "presence_penalty": (0,),
    "frequency_penalty": (0,),
    "repetition_penalty": (1,),
    "min_p": (0,),
    "min_tokens": (0,),
    "tools": ([],),
    "tool_choice": ("none", "auto"),
    "functions": ([],),
    "function_call": ("none", "auto"),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
    "audio": (),
    "prediction": (),
    "reasoning_effort": (),
    "verbosity": (),
    "web_search_options": (),
}
HARMLESS = {
    "user",
    "metadata",
    "store",
    "service_tier",
    "safety_identifier",
    "prompt_cache_key",
    "prompt_cache_retention",
    "parallel_tool_calls",
}
# What a client keeps of an assistant's turn and sends back; each may only be empty.
TURN_EXTRAS = ("name", "refusal", "annotations", "audio", "function_call", "tool_calls")


def _text(value: Any) -> Any:
    """A string, or a list of text parts joined; anything else is left for the type check."""
    if isinstance(value, list):
        value = "".join(_part(number, part) for number, part in enumerate(value))
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise wrong("holds half of a surrogate pair, which is no text") from None
    return value


def _part(number: int, part: Any) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind != "text":
        raise wrong(f"part {number} is {shown(kind or part)}: only text parts are supported")
    if not isinstance(part.get("text"), str) or part.keys() - {"type", "text"}:
        raise wrong(f'part {number}: expected {{"type": "text", "text": "…"}}')
    return part["text"]


def _prompt(value: Any) -> Any:
    """A string; a list holding one string, as some clients send it, is that string."""
    if isinstance(value, list):
        if len(value) != 1 or not isinstance(value[0], str):
            raise wrong("expected one string; lists of prompts or of ids are not supported")
        value = value[0]
    if value == "":
        raise wrong("must not be empty")
    return _text(value)


def _stops(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]


class _Strict(BaseModel):
    """No unknown fields, no NaN, no booleans or strings where a number is meant."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class Turn(_Strict):
    """One message of the conversation."""

    role: Literal["system", "developer", "user", "assistant"]
    content: Text

    @model_validator(mode="before")
    @classmethod
    def _extras_are_empty(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            return fields
        for name in TURN_EXTRAS:
            if fields.get(name):
                raise wrong(f"{name} is not supported in a message")
        return {name: value for name, value in fields.items() if name not in TURN_EXTRAS}


class StreamOptions(_Strict):
    """What a streamed answer says besides its text."""

    include_usage: bool = False
    continuous_usage_stats: bool = False
    include_obfuscation: bool = False


class Body(_Strict):
    """The JSON body of either endpoint: exactly one of `messages` and `prompt`."""

    model: str | None = None
    messages: Annotated[list[Turn], Field(min_length=1)] | None = None
    prompt: Annotated[str, BeforeValidator(_prompt)] | None = None
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    temperature: float = Field(1.0, ge=0, le=2)
    top_p: float = Field(1.0, ge=0, le=1)
    top_k: int = Field(0, ge=-1)
    seed: int | None = Field(None, ge=-(2**63), lt=2**63)
    stop: Annotated[
        list[Annotated[Text, Field(min_length=1)]], BeforeValidator(_stops), Field(max_length=4)
    ] = []
    ignore_eos: bool = False
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()

    @model_validator(mode="before")
    @classmethod
    def _only_what_is_supported(cls, fields: Any) -> Any:
        """Drops fields that change nothing; refuses those that would, and unknown ones."""
        if not isinstance(fields, dict):
            return fields
        kept = {}
        for name, value in fields.items():
            if name in cls.model_fields:
                if value is not None:
                    kept[name] = value
            elif name in NO_EFFECT:
                if value is not None and not any(_same(value, v) for v in NO_EFFECT[name]):
                    allowed = " or ".join(shown(v) for v in (*NO_EFFECT[name], None))
                    raise wrong(f"{shown(value)} is not supported here, only {allowed}", name)
            elif name not in HARMLESS:
                near = difflib.get_close_matches(name, [*cls.model_fields, *NO_EFFECT], 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise wrong(f"not a field of this API{hint}", name)
        return kept

    @model_validator(mode="after")
    def _says_one_thing(self) -> Body:
        if self.messages is None and self.prompt is None:
            raise wrong("required, a list of messages (or else a prompt)", "messages")
        if self.messages is not None and self.prompt is not None:
            raise wrong("cannot be given together with messages: send one of them", "prompt")
        if None not in (pair := {self.max_tokens, self.max_completion_tokens}) and len(pair) > 1:
            raise wrong("differs from max_tokens: send one of them", "max_completion_tokens")
        return self

    def checked(self) -> CheckedRequest:
        """The same, as the value that the rest of the server works with."""
        source = self.prompt or tuple(
            Message("system" if t.role == "developer" else t.role, t.content) for t in self.messages
        )
        sampling = Sampling(
            max_tokens=self.max_tokens or self.max_completion_tokens,
            temperature=self.temperature,
            top_k=max(self.top_k, 0),
            top_p=self.top_p,
            seed=self.seed,
            stop=tuple(self.stop),
            ignore_eos=self.ignore_eos,
        )
        return CheckedRequest(
            source,
            sampling,
            self.stream,
            self.stream_options.include_usage,
            self.stream_options.continuous_usage_stats,
            "max_tokens" if self.max_tokens else "max_completion_tokens",
        )


def _same(value: Any, allowed: Any) -> bool:
    """Equal, and no boolean taken for a number."""
    return value == allowed and isinstance(value, bool) == isinstance(allowed, bool)

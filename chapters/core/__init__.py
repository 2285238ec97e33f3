"""The generation core and the values that travel around it. Given: students never edit it.

Importing this package loads no torch and no transformers; `chapters.core.loading` brings
them in when a real model is asked for.
"""

from chapters.core.checked import CHAT, TEXT, Answer, CheckedRequest, Endpoint, prepare
from chapters.core.errors import ApiError, ClientGone
from chapters.core.generation import Generation, WholeText, generate
from chapters.core.messages import (
    Abort,
    Failure,
    GenerationRequest,
    Message,
    Reply,
    Sampling,
)
from chapters.core.protocol import Core, TextDecoder
from chapters.core.refusals import explain
from chapters.core.schema import Body
from chapters.core.scripted import ScriptedCore

__all__ = [
    "CHAT",
    "TEXT",
    "Abort",
    "Answer",
    "ApiError",
    "Body",
    "CheckedRequest",
    "ClientGone",
    "Core",
    "Endpoint",
    "Failure",
    "Generation",
    "GenerationRequest",
    "Message",
    "Reply",
    "Sampling",
    "ScriptedCore",
    "TextDecoder",
    "WholeText",
    "explain",
    "generate",
    "prepare",
]

"""What all tests share: ordinary signals, and the embedded model for those that need a real one."""

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def ordinary_signals():
    """Children can be interrupted, also where this suite was started with signals ignored.

    A shell ignores SIGINT for what it runs in the background, nohup ignores SIGHUP, and every
    program that is started from there inherits that.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@pytest.fixture(scope="session")
def embedded():
    """The embedded model, in float32 so that two ways to the same logits agree.

    One thread computes: beside other work on the machine, two wait for each other at every layer
    and can be ten times slower.
    """
    import torch

    from chapters.core.loading import load

    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DTYPE", "float32")
        return load(None)

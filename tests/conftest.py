"""The embedded model, for all tests that need a real one."""

import pytest


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

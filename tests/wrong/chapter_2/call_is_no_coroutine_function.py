"""Returns the coroutine from a plain `def __call__`.

misunderstood: what gives something to await is an ASGI app
seen in: an ordinary slip
task: 2.1
check: test_nothing_is_held_back
"""

_E = EchoRequestId


class EchoRequestId:
    def __init__(self, app):
        self.inner = _E(app)

    def __call__(self, scope, receive, send):
        return self.inner(scope, receive, send)

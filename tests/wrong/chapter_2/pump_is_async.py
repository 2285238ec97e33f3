"""Makes `pump` an `async def`.

misunderstood: whoever pumps awaits it
seen in: an ordinary slip
task: 2.4
check: test_pump_to_the_owners
"""


async def pump(pipe, registry):
    for reply in pipe:
        registry.deliver(reply)

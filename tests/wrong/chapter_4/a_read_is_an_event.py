"""Takes each read for one event.

misunderstood: what the server wrote at once arrives at once
seen in: vllm#51172
task: 4.4
check: test_many_events_a_read
"""


class EventParser(EventParser):
    def feed(self, received):
        text = received.decode(errors="replace").strip()
        return [text.removeprefix("data:").removeprefix(" ")] if text.startswith("data:") else []

"""Takes off the line ends around an event's data.

misunderstood: an event's data neither begins nor ends with a line end
seen in: an ordinary slip
task: 4.4
check: test_several_data_lines
"""


class EventParser(EventParser):
    def feed(self, received):
        return [data.strip("\n") for data in super().feed(received)]

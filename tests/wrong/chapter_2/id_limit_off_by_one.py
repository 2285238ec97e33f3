"""Refuses an id of exactly the limit.

misunderstood: the limit is the first length that is too long
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_kept
"""

LONGEST = 127

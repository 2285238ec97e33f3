"""Counts the moments and does not look at their order.

misunderstood: if each happened once, all is well
seen in: an ordinary slip
task: 5.5
check: test_rejects_untidy_tables
"""

from collections import Counter


def violations(moments):
    found, counts = [], {}
    for moment in moments:
        counts.setdefault(moment.uid, Counter())[moment.kind] += 1
    late = Counter()
    for moment in moments:
        late[moment.uid] += moment.kind == "pass" and counts[moment.uid]["abort asked"] > 0
    for uid, count in counts.items():
        if (count["opened"], count["closed"]) != (1, 1):
            found.append(f"{uid}: not opened and closed once")
        if count["last reply"] + count["abort asked"] != 1:
            found.append(f"{uid}: not one ending")
        if count["kv freed"] != bool(count["pass"]):
            found.append(f"{uid}: the cache was not freed once")
    return found

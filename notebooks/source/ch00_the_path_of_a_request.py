# %% [markdown]
# # The path of a request

# %%
from start import *

# %%
with serve(3, pace=50) as server:
    answers = together([lambda n=n: ask(server, f"c{n}", max_tokens=5) for n in range(4)])
show(timeline(server.watch, "Four callers", server.whose), alt="Four rows.")

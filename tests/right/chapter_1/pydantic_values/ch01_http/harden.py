from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    body: bytes
    status: int | None
    prompts: tuple
    passes: int


def violations(exchanges):
    found = []
    for i, e in enumerate(exchanges):
        if e.status is not None and 400 <= e.status <= 499 and e.passes:
            found.append(f"{i}: wasted")
        if e.status == 200:
            if len(e.prompts) != 1:
                found.append(f"{i}: {len(e.prompts)} prompts")
            for b in exchanges[:i]:
                if (
                    b.status == 200
                    and b.body == e.body
                    and (b.prompts, b.passes) != (e.prompts, e.passes)
                ):
                    found.append(f"{i}: differs")
                    break
    return found

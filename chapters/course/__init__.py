"""The machinery behind `make`: set-up, grading, serving, hints, progress."""

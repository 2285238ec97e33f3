# Every target is one line over `python3 -m chapters.course VERB`, which also serves alone.
# `make help` lists them with the settings they take, such as `make demo PORT=8000`.

PYTHON ?= python3
COURSE = @$(PYTHON) -m chapters.course
.DEFAULT_GOAL := help
.SUFFIXES:

.PHONY: help setup demo chat notebook test progress doctor bench grade-all stubs lessons matrix mutants flakes
help setup demo chat notebook test progress doctor bench grade-all stubs lessons matrix mutants flakes:
	$(COURSE) $@

test-chapter-%:
	$(COURSE) test-chapter $*

serve-chapter-%:
	$(COURSE) serve-chapter $*

hint-%:
	$(COURSE) hint $*

experiment-%:
	$(COURSE) experiment $*

reset-chapter-%:
	$(COURSE) reset-chapter $*

# Any other name: the command answers with the nearest one that exists.
.DEFAULT:
	$(COURSE) $@

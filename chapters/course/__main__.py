"""`python3 -m chapters.course VERB`: everything a person does, and its set-up first.

Runs on a bare python3, and is read by one that is too old, so that it can say so.
"""

import sys

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    sys.exit(
        "The course needs Python {}.{} or newer, and this is {}.{}.{}: name another one, such as "
        "`make demo PYTHON=python3.12`.".format(*OLDEST + tuple(sys.version_info[:3]))
    )

try:
    import importlib
    import os
    import re
    import subprocess
    import time
    from collections import namedtuple

    from chapters.course.paths import ROOT
    from chapters.course.settings import Settings, UserError, nearest
    from chapters.course.setup import Setup
    from chapters.course.steps import BEGAN, POSIX, Stopped
except KeyboardInterrupt:
    sys.exit(130)

# takes: the settings that change what it does.
# needs: "nothing"; "light", "full" or "tests", as in setup.LEVELS; "model": what the model named
# by MODEL needs; or "embedded": what the embedded model needs, whatever MODEL says.
# handler: module.function in this package, called with the settings and the argument.
Verb = namedtuple("Verb", "arg takes needs handler about")
SERVE = "MODEL PORT PACE DTYPE TORCH_INDEX"
VERBS = {
    "help": Verb("", "", "nothing", "__main__.show_help", "this list"),
    "setup": Verb("", "MODEL TORCH_INDEX", "model", "__main__.say_ready", "what others do first"),
    "demo": Verb(
        "", "CHAPTER WRONG PAGE_PORT " + SERVE, "model", "serve.demo", "the server and its page"
    ),
    "chat": Verb("", "CHAPTER " + SERVE, "light", "serve.chat", "talk to it in the terminal"),
    "test-chapter": Verb("N", "SUBMISSION ON JSON", "light", "grade.main", "grade your chapter N"),
    "serve-chapter": Verb("N", SERVE, "model", "serve.chapter", "your server as of chapter N"),
    "hint": Verb("N.K", "", "light", "hints.main", "a hint for Task N.K"),
    "reset-chapter": Verb("N", "", "light", "reset.main", "chapter N as it was given"),
    "grade-all": Verb("", "DIR CHAPTER GRADESCOPE", "light", "grade_all.main", "many submissions"),
    "progress": Verb("", "", "light", "progress.main", "your points so far"),
    "experiment": Verb("N", "", "light", "experiment.main", "chapter N's measurement"),
    "notebook": Verb("", "", "embedded", "lessons.open_them", "the lessons, in Jupyter Lab"),
    "doctor": Verb(
        "", "PORT DTYPE", "nothing", "doctor.main", "what is installed, chosen and free"
    ),
    "bench": Verb("", "DTYPE TORCH_INDEX", "embedded", "bench.main", "how fast it is"),
    "stubs": Verb("", "", "light", "stubs.write", "the exercise files, anew from the solutions"),
    "matrix": Verb("", "", "light", "matrix.main", "wrong answers and what catches them"),
    "mutants": Verb("", "CHAPTER", "light", "mutants.main", "do the checks see small changes"),
    "flakes": Verb("", "TIMES", "light", "flakes.main", "do the checks hold under load"),
    "lessons": Verb("", "CHAPTER", "tests", "lessons.write", "the notebooks, run anew"),
    "test": Verb("", "TORCH_INDEX", "tests", "testing.main", "all that must hold in a fresh copy"),
}
ARGS = {
    "": (r"", "nothing after it"),
    "N": (r"[1-7]", "a chapter from 1 to 7"),
    "N.K": (r"[1-7]\.[1-9]", "a chapter and a task, such as 1.2"),
}


def main(words):
    """Run one verb with its set-up; the exit status."""
    try:
        verb, arg, given = _understand(words)
        os.environ.update(given)
        os.environ.setdefault(BEGAN, str(time.time()))
        settings = Settings.read(os.environ, given)
        setup = Setup(ROOT)
        level, model = _needs(VERBS[verb].needs, settings)
        if level:
            setup.prepare(level, model, settings.torch_index)
        if not setup.inside() and (level or verb == "doctor") and setup.usable():
            return _go_inside(setup.python, words)
        module, function = VERBS[verb].handler.split(".")
        handler = getattr(importlib.import_module("chapters.course." + module), function)
        return handler(settings, arg)
    except UserError as error:
        print(error, file=sys.stderr)
        return error.status
    except (KeyboardInterrupt, Stopped) as stop:
        print("Stopped. The same command goes on from here.", file=sys.stderr)
        return getattr(stop, "status", 130)


def show_help(settings, arg):
    """Every verb with what it takes, as make's targets and as the plain command."""
    for name, verb in VERBS.items():
        target = "-".join(part for part in (name, verb.arg) if part)
        takes = " ".join(setting + "=" for setting in verb.takes.split())
        print("make {:16} {:35} {}".format(target, verb.about, takes).rstrip())
    print("\nWithout make: python3 -m chapters.course test-chapter 1 ON=mine")
    return 0


def say_ready(settings, arg):
    """The set-up is over by now."""
    print("Everything is in place: `make demo` starts the server.")
    return 0


def _needs(kind, settings):
    """(level, whether the embedded model is needed); the level is None if nothing is."""
    if kind == "nothing":
        return None, False
    if kind == "model":
        return ("light", False) if settings.model == "scripted" else ("full", not settings.model)
    if kind == "embedded":
        return "full", True
    return kind, kind == "tests"


def _understand(words):
    """(verb, argument or None, {name: value} of the settings), refused where it makes no sense."""
    given = [word for word in words if re.match(r"[A-Za-z_]\w*=", word)]
    verb, *arg = [word for word in words if word not in given] or ["help"]
    if verb not in VERBS:
        raise UserError("There is no {!r}{}.".format(verb, nearest(verb, VERBS)))
    pattern, wanted = ARGS[VERBS[verb].arg]
    if not re.fullmatch(pattern, " ".join(arg)):
        raise UserError("{} takes {}, not {!r}.".format(verb, wanted, " ".join(arg)))
    return verb, arg[0] if arg else None, dict(word.split("=", 1) for word in given)


def _go_inside(python, words):
    """Run the same command in `.venv`: in this program's place where the system can do that."""
    command = [str(python), "-m", "chapters.course"] + words
    sys.stdout.flush()
    if POSIX:
        os.execv(command[0], command)
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

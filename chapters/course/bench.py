"""`make bench`: how fast it is, as ratios measured side by side in one run."""

from __future__ import annotations

import importlib
import pkgutil

import bench
from chapters.course.settings import Settings


def main(_: Settings, arg: str | None = None) -> int:
    """Run every module of the `bench` package; each prints a line or a table."""
    for module in pkgutil.iter_modules(bench.__path__):
        importlib.import_module(f"bench.{module.name}").main()
    return 0

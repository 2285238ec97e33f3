"""A package of helpers."""

from .joining import join

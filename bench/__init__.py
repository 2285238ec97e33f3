"""Measurements of the project's speed; each prints one line and is a module of its own."""

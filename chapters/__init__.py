"""A language-model server, one layer a chapter."""

"""The classroom page, which shows a chapter's server at work, and the chat for a terminal."""

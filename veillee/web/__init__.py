"""The table in the browser: server, store, pages, and one small script for all games."""

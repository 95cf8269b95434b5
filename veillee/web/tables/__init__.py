"""Tables: state from a log, commands, and what happens without anybody asking. No HTTP, no SQL."""

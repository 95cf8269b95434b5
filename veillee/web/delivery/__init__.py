"""From the state of a table to what browsers receive."""

"""The laboratory: matches, tournaments, studies."""

"""How fast the games are, and how that compares with OpenSpiel in the same run."""

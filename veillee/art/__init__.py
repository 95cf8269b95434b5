"""Art that several games and the site share: the adventurers, the site's emblems."""

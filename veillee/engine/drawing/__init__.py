"""The drawing layer that all games share: SVG, partial redraws, the Protocol of pictures."""

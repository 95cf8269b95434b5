"""The games as researchers use them: PettingZoo, OpenSpiel, Gymnasium.

What these need is installed by `pip install veillee[rl]`; nothing outside this folder imports it.
"""

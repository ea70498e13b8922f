"""Many games by bots, by the full rules, here, in a pool, or on a dask cluster; and what they come to.

Game ``i`` of a study depends on the seed and ``i`` alone.
"""

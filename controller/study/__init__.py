"""Many games played by bots under the full rules, here, in a pool or on a dask cluster, and their statistics.

Game ``i`` of a study depends only on the seed and ``i``.
"""

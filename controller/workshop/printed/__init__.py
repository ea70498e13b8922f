"""``hextraction routes --from``: what a printable model is made of, for people who design tiles."""

__all__: list[str] = []

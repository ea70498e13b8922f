"""Games on the hexagon in their middle, as scenarios say it; it is Red's turn."""

__all__ = ["EXTRACTION", "HEXEL", "HEXTRIS", "MIDDLES"]

HEXTRIS = "fixture F5\n"
HEXEL = """line BBRRBR RBBRBB RRYRYY
d2 shows BBBRBR
hedge of Red 9
hedge of Blue 12
hand of Red RRRRRR BYYBBB RBBBBB
hand of Blue BBBBBB YBYBBY
before: Blue 2
"""
EXTRACTION = """hex c3 ore 8 5
hex c2 wood 6 4
hex d2 grain 5 3
hex b3 wool 9 4
settlement Red c3.34 a1.61
roads Red c3:3 c3:4
settlement Blue c2.61
roads Blue c2:6 c2:1
hand Red 2 wood 2 brick 1 wool 1 grain
"""
MIDDLES = {"hextris": HEXTRIS, "hexel": HEXEL, "extraction": EXTRACTION}

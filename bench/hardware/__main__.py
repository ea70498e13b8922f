"""``python -m bench.hardware``: calculate every claim and write ``docs/hardware-tests.md``."""

import sys

from bench.hardware.page import PAGE, all_claims, page


def main() -> int:
    """Write the page; the status is 1 if a claim does not hold."""
    claims = all_claims()
    PAGE.write_text(page(claims), encoding="utf-8")
    for claim in claims:
        if not claim.holds:
            print(f"does not hold: {claim.chapter}: {claim.text}: {claim.figure:.4g} {claim.unit}")
    return 0 if all(claim.holds for claim in claims) else 1


if __name__ == "__main__":
    sys.exit(main())

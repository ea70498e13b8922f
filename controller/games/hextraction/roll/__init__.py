"""A roll: from the ramp until every ball lies still, and the commit that makes its consequences final."""

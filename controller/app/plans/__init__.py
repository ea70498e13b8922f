"""A build, from its wiring: matched with the board, and on paper (pin tables, harness, parts, checklist)."""

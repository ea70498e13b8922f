"""A build on paper, from its wiring: matched with the board; pin tables, harness, parts, checklist."""

"""What is wrong with a board's assembly, concluded from a look at rest and a walk: rules and sentences."""

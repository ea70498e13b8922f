"""What makes the generated parts of the documentation: ``python -m docs.generate``, or ``make docs``."""

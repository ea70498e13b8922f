"""What everybody sees, what a seat may do, and which lamps are lit."""

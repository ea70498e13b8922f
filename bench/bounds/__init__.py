"""What bounds the tracker: rolls that look alike and are not, sensors that would tell them apart."""

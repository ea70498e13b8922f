"""What a release is made of: wheel, sdist, Debian packages, hashes; ``make dist``."""

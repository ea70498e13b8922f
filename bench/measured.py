"""Runs one program and prints how long it took, its CPU and its peak memory, as one JSON object.

    python -I -S bench/measured.py PROGRAM ARGUMENT…

A process of its own, and a small one: the kernel counts the memory of whoever starts a program as that
program's.
"""

import json
import resource
import subprocess
import sys
import time


def main() -> None:
    """Run, measure, print."""
    began = time.perf_counter()
    status = subprocess.run(
        sys.argv[1:],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    wall_s = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"status": status, "wall_s": wall_s, "cpu_s": used.ru_utime + used.ru_stime,
                      "peak_mib": used.ru_maxrss / 1024}))  # fmt: skip


if __name__ == "__main__":
    main()

"""Real lgpio and real rpi-lgpio below the hal, on the kernel's simulated pins: the contract and more.

Started by ``make gpio-sim-check`` alone: it needs QEMU and mmdebstrap, and minutes. What is tested is written
in ``helpers/gpio_sim/guest.py``; here the machine is started once, and each of its results becomes one of ours.
"""

import re

import pytest
from helpers import hal_contract
from helpers.gpio_sim import machine
from helpers.places import TESTS

pytestmark = [pytest.mark.slow, pytest.mark.gpio_sim]

GUEST = (TESTS / "helpers" / "gpio_sim" / "guest.py").read_text("utf-8")
STORIES = [name for name in re.findall(r"^def (test_\w+)\(", GUEST, re.MULTILINE) if name != "test_contract"]
WANTED = [f"test_contract[{check.__name__}]" for check in hal_contract.CHECKS] + STORIES


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, str]]:
    """What the machine found, by pin factory and test."""
    try:
        parts = machine.made()
        reports = machine.run(parts)
    except machine.MachineError as error:
        pytest.exit(str(error), returncode=2)
    print(machine.console(parts))  # noqa: T201 - the numbers that were measured
    return {factory: machine.results(report) for factory, report in reports.items()}


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("factory", machine.FACTORIES)
def test_real_pins(told: dict[str, dict[str, str]], factory: str, name: str) -> None:
    """Each test that ran in the machine passed there."""
    assert name in told[factory], f"it did not run: {sorted(told[factory])}"
    assert not told[factory][name], told[factory][name]

"""Mock pins of gpiozero that do what real ones may do."""


def move_untold(pin):
    """Let a pin go to its other level, and nobody is told of it."""
    told, pin.when_changed = pin.when_changed, None
    (pin.drive_low if pin.state else pin.drive_high)()
    pin.when_changed = told

"""The wiring file: which sensor, lamp and coil hangs on which pin, read and checked. Opens nothing."""

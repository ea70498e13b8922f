"""The doctor: whether computer, program, devices and network are as a board needs them."""

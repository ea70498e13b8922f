"""Making labelled rolls: boards with sensors, balls that roll, and what the sensors say of them."""

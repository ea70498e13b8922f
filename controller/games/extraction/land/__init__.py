"""What there is: the map's net, resources and places, wagers, and the whole game at one moment."""

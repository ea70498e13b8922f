"""What there is: the map's net, resources and places, wagers, the game at one moment, and how it stands."""

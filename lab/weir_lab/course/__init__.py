"""What teaches: two engines side by side, an hour for a class, why two engines differ, and the map of the winners."""

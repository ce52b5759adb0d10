"""What teaches: an hour for a class, why two engines differ, and the map of who wins where."""

"""The lab's statistics: measures, their intervals, ratios of targets, drift, and their words."""

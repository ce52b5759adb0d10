"""What an experiment is made of and what a result holds: targets, scenarios, loads and runs."""

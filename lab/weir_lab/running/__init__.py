"""Runs an experiment, and describes the machine that it ran on."""

"""Servers and work that an experiment's file brings: [[target]] and [[scenario]]."""

"""Draws plots as SVG."""

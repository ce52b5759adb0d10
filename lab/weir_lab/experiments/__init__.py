"""What is measured and in which order. The files of experiments are here."""

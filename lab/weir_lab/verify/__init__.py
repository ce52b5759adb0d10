"""What the lab does so that nobody has to believe a server or a generator: it speaks with the server before each run
(validator.py), looks at whole answers during it (witness.py), and compares what the generator says with counts that are
not the generator's (comparisons.py). validity.py refuses a run that can't be true."""

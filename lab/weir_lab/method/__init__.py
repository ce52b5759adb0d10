"""How an experiment is run and judged: rates, the order of its runs, when it has enough of them, and drift."""

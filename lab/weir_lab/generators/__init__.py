"""The load generators, by name. What each can do:

    generator  open loop  pipelining  close     answers' length  connections     percentiles
    ab         no         no          yes       each             up to 20,000    p50 p90 p99 max
    wrk        no         yes         yes       no               any             all
    h2load     no         yes         with -n   in all           any             mean and max alone
    rps        yes        no          yes       each             any             all
"""

from __future__ import annotations

from weir_lab.generators.ab import Ab
from weir_lab.generators.generator import Generator
from weir_lab.generators.h2load import H2load
from weir_lab.generators.rps import Rps
from weir_lab.generators.wrk import Wrk

GENERATORS: dict[str, Generator] = {generator.name: generator for generator in (Ab(), Wrk(), H2load(), Rps())}

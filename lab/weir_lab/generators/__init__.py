"""The load generators, by name.

    generator  open loop  pipelining  Connection: close  checks the length  connections  runs for       latency
    ab         no         no          yes                of each answer     to 20,000    time, number   p50 p90 p99 max
    wrk        no         yes         yes                no                 any          time           all
    h2load     no         yes         with a number      no                 any          time, number   mean, max
    oha        yes        no          yes                if it ends early   any          time, number   all
    rps        yes        no          yes                of each answer     any          time, number   all
    locust     no         no          yes                of each answer     any          time           all, in whole ms
    handshakes no         no          always             of each answer     any          time           all
    echoes     no         no          no                 of each message    any          time           all

wrk, oha and rps send other methods than GET, with content. wrk alone sends the fields of a scenario. h2load speaks TLS
and HTTP/2, handshakes TLS alone, and the others neither. echoes speaks WebSocket, and compares each message.

If a generator does not check the length of answers, validity.py checks the sum of all bytes."""

from weir_lab.generators.ab import Ab
from weir_lab.generators.echoes import Echoes
from weir_lab.generators.generator import Generator
from weir_lab.generators.h2load import H2load
from weir_lab.generators.handshakes import Handshakes
from weir_lab.generators.locust import Locust
from weir_lab.generators.oha import Oha
from weir_lab.generators.rps import Rps
from weir_lab.generators.wrk import Wrk

GENERATORS: dict[str, Generator] = {
    generator.name: generator for generator in (Ab(), Wrk(), H2load(), Oha(), Rps(), Locust(), Handshakes(), Echoes())
}

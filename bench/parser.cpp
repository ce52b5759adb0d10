// What it costs to read a head, with each instruction set.

#include <benchmark/benchmark.h>

#include <string_view>

#include "http/head_parser.h"

namespace {

using namespace weir::http;

// The request that picohttpparser measures itself with; others have taken it over.
constexpr std::string_view browser =
    "GET /wp-content/uploads/2010/03/hello-kitty-darth-vader-pink.jpg HTTP/1.1\r\n"
    "Host: www.kittyhell.com\r\n"
    "User-Agent: Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10.6; ja-JP-mac; rv:1.9.2.3) "
    "Gecko/20100401 Firefox/3.6.3 Pathtraq/0.9\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: ja,en-us;q=0.7,en;q=0.3\r\n"
    "Accept-Encoding: gzip,deflate\r\n"
    "Accept-Charset: Shift_JIS,utf-8;q=0.7,*;q=0.7\r\n"
    "Keep-Alive: 115\r\n"
    "Connection: keep-alive\r\n"
    "Cookie: wp_ozh_wsa_visits=2; wp_ozh_wsa_visit_lasttime=xxxxxxxxxx; "
    "__utma=xxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.xxxxxxxxxx.x; "
    "__utmz=xxxxxxxxx.xxxxxxxxxx.x.x.utmccn=(referral)|utmcsr=reader.livedoor.com|"
    "utmcct=/reader/|utmcmd=referral\r\n"
    "\r\n";
static_assert(browser.size() == 703);

// What wrk sends.
constexpr std::string_view generator = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n";

void read_head(benchmark::State& state, std::string_view head, InstructionSet instructions) {
    if (instructions > widest()) return state.SkipWithError("not on this machine");
    const Limits limits;
    HeadParser parser;
    HeadIndex index;
    for (auto _ : state) {
        parser.reset();
        index.clear();
        benchmark::DoNotOptimize(head);
        if (parser.parse(head, index, limits, instructions) != HeadParser::Result::complete)
            return state.SkipWithError("refused");
        benchmark::DoNotOptimize(index);
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(head.size()));
}

BENCHMARK_CAPTURE(read_head, browser_avx2, browser, InstructionSet::avx2);
BENCHMARK_CAPTURE(read_head, browser_sse42, browser, InstructionSet::sse42);
BENCHMARK_CAPTURE(read_head, browser_scalar, browser, InstructionSet::scalar);
BENCHMARK_CAPTURE(read_head, generator_avx2, generator, InstructionSet::avx2);
BENCHMARK_CAPTURE(read_head, generator_sse42, generator, InstructionSet::sse42);
BENCHMARK_CAPTURE(read_head, generator_scalar, generator, InstructionSet::scalar);

}  // namespace

// What it costs to read a head, with each instruction set, and what comes after it.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "http/content/chunked_decoder.h"
#include "http/head/framing.h"
#include "http/head/head_parser.h"

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

/// What the head means for its connection.
void read_framing(benchmark::State& state, std::string_view head) {
    HeadParser parser;
    HeadIndex index;
    if (parser.parse(head, index, Limits{}) != HeadParser::Result::complete)
        return state.SkipWithError("refused");
    for (auto _ : state) benchmark::DoNotOptimize(framing_of(head.data(), index));
}

void decode_chunks(benchmark::State& state, std::size_t chunk_size) {
    char size_line[16];
    const int size = std::snprintf(size_line, sizeof size_line, "%zx\r\n", chunk_size);
    std::string body;
    while (body.size() < 64 * 1024)
        body.append(size_line, static_cast<std::size_t>(size)).append(chunk_size, 'x') += "\r\n";
    body += "0\r\n\r\n";
    const Limits limits;
    for (auto _ : state) {
        ChunkedDecoder decoder;
        std::string_view rest = body;
        while (!rest.empty()) {
            const auto step = decoder.decode(rest, limits);
            if (step.result == ChunkedDecoder::Result::fault) return state.SkipWithError("refused");
            benchmark::DoNotOptimize(step.data);
            rest.remove_prefix(step.consumed);
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.size()));
}

BENCHMARK_CAPTURE(read_head, browser_avx2, browser, InstructionSet::avx2);
BENCHMARK_CAPTURE(read_head, browser_sse42, browser, InstructionSet::sse42);
BENCHMARK_CAPTURE(read_head, browser_scalar, browser, InstructionSet::scalar);
BENCHMARK_CAPTURE(read_head, generator_avx2, generator, InstructionSet::avx2);
BENCHMARK_CAPTURE(read_head, generator_sse42, generator, InstructionSet::sse42);
BENCHMARK_CAPTURE(read_head, generator_scalar, generator, InstructionSet::scalar);
BENCHMARK_CAPTURE(read_framing, browser, browser);
BENCHMARK_CAPTURE(read_framing, generator, generator);
BENCHMARK_CAPTURE(decode_chunks, of_16_bytes, std::size_t{16});
BENCHMARK_CAPTURE(decode_chunks, of_4_kb, std::size_t{4096});

}  // namespace

// What it costs to write an answer's head, and a small content behind it.

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "http/answer/render.h"

namespace {

using namespace weir::http;

constexpr DateLine date_line = [] {
    DateLine line;
    std::string_view{"Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"}.copy(line.data(), line.size());
    return line;
}();

void render_answer(benchmark::State& state, const Response& response, std::size_t content_bytes) {
    const std::string content(content_bytes, 'x');
    OutputBuffer output;
    for (auto _ : state) {
        render(output, response,
               {.delimiter = Delimiter::length,
                .content_length = content.size(),
                .date_line = &date_line},
               content);
        benchmark::DoNotOptimize(output.unsent());
        output.clear();
    }
}

/// The fields of a cached file are text already.
void render_prepared(benchmark::State& state) {
    Response response;
    response.prepared_fields(
        "Content-Type: text/html; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        "ETag: \"1a2b3c4d5e6f\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    render_answer(state, response, static_cast<std::size_t>(state.range(0)));
}
BENCHMARK(render_prepared)->Arg(0)->Arg(1024)->Arg(16 * 1024);

/// Those of a program's answer are put together by it.
void render_own(benchmark::State& state) {
    for (auto _ : state) {
        Response response{Status::ok};
        response.add("Content-Type", "application/json").add("Cache-Control", "no-store");
        benchmark::DoNotOptimize(response);
    }
}
BENCHMARK(render_own);

}  // namespace

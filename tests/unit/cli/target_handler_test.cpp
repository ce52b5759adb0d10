#include "cli/commands/target_handler.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "../server/parsed_request.h"
#include "cli/launch/busy.h"

namespace weir::cli {
namespace {

using server::ParsedRequest;

http::Response answer(TargetHandler& handler, const std::string& target) {
    const ParsedRequest request{"GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"};
    return std::get<http::Response>(handler.handle(request.get()));
}

std::string_view view_of(const http::Response& response) {
    return std::get<std::string_view>(response.content());
}

TEST(TargetHandler, AnswersEveryPathWithTheSameBytes) {
    TargetHandler handler{{.bytes = 100}};
    const auto first = answer(handler, "/");
    const auto second = answer(handler, "/any/other?query");
    EXPECT_EQ(view_of(first).size(), 100u);
    EXPECT_EQ(view_of(first).data(), view_of(second).data());
    EXPECT_FALSE(first.closes());
}

TEST(TargetHandler, RendersNothingPerRequest) {
    TargetHandler handler{{}};
    for (const char* target : {"/", "/plaintext", "/json"}) {
        const auto first = answer(handler, target);
        const auto second = answer(handler, target);
        EXPECT_EQ(view_of(first).data(), view_of(second).data()) << target;
        EXPECT_TRUE(first.own_fields().empty()) << target;
        EXPECT_EQ(first.prepared_fields().data(), second.prepared_fields().data()) << target;
    }
}

TEST(TargetHandler, ClosesWhereThatIsWanted) {
    TargetHandler handler{{.close = true}};
    for (const char* target : {"/", "/plaintext", "/json", "/echo", "/stream"})
        EXPECT_TRUE(answer(handler, target).closes()) << target;
}

TEST(TargetHandler, StreamsAsManyBytesAsAreWanted) {
    TargetHandler handler{{.bytes = 5}};
    const auto size_of_stream = [&](const std::string& target) {
        const auto response = answer(handler, target);
        auto& source = *std::get<std::unique_ptr<http::Source>>(response.content());
        std::array<char, 1'000> buffer;
        std::uint64_t size = 0;
        for (auto pulled = source.pull(buffer); !std::holds_alternative<http::Source::End>(pulled);
             pulled = source.pull(buffer))
            size += std::get<http::Source::Ready>(pulled).size;
        EXPECT_EQ(source.size().has_value(), target.contains("sized"));
        EXPECT_EQ(source.size().value_or(size), size);
        return size;
    };
    EXPECT_EQ(size_of_stream("/stream"), 5u);
    EXPECT_EQ(size_of_stream("/stream?bytes=0"), 0u);
    EXPECT_EQ(size_of_stream("/stream?bytes=2500"), 2'500u);
    EXPECT_EQ(size_of_stream("/stream?bytes=2K&sized"), 2'048u);
    EXPECT_EQ(answer(handler, "/stream?bytes=many").status(), http::Status::bad_request);
}

TEST(TargetHandler, TakesItsTime) {
    using Waiting = TargetAnswer::Waiting;
    constexpr std::chrono::milliseconds delay{5};
    for (const Waiting waiting : {Waiting::sleep, Waiting::spin}) {
        TargetHandler handler{{.waiting = waiting, .delay = delay}};
        const auto begin = std::chrono::steady_clock::now();
        answer(handler, "/");
        EXPECT_GE(std::chrono::steady_clock::now() - begin, delay);
    }
}

TEST(Busy, ComputesAndDoesNotWait) {
    const auto cpu_milliseconds = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1'000 + time.tv_nsec / 1'000'000;
    };
    const auto begin = cpu_milliseconds();
    keep_busy(std::chrono::milliseconds{10});
    EXPECT_GE(cpu_milliseconds() - begin, 9);  // 10, less the rounding to whole milliseconds
}

}  // namespace
}  // namespace weir::cli

// Contents that are compressed as the peer takes them.

#include <unistd.h>

#include <cstdio>

#include "compress/stream/compressed_source.h"
#include "unit/compress/compress_fixture.h"
#include "weir/web/events.h"
#include "weir/web/router.h"

namespace weir::compress {
namespace {

using Pulled = http::Source::Pulled;
using tests::decompressed;
using tests::readable_part;

struct Wakes final : http::Postbox {
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override { ++count; }
    int count = 0;
};

/// Gives what a test writes into it.
struct Fed final : http::Source {
    Pulled pull(std::span<char> into) override {
        ++pulls;
        if (fails) return Failed{};
        if (!file.empty()) {
            const http::FileRange range{::fileno(opened), 0, file.size()};
            file.clear();
            return File{range};
        }
        if (left.empty()) return ends ? Pulled{End{}} : Pulled{NotReady{}};
        const std::size_t size = left.copy(into.data(), std::min(into.size(), step));
        left.erase(0, size);
        return Ready{size};
    }
    std::string_view trailers() const override { return "X-Sum: 1\r\n"; }
    Instant due() const noexcept override { return Instant{std::chrono::hours{7}}; }
    void done(http::Outcome) noexcept override { ++dones; }

    void write_file(std::string bytes) {
        opened = std::tmpfile();
        std::fwrite(bytes.data(), 1, bytes.size(), opened);
        std::fflush(opened);
        file = std::move(bytes);
    }
    ~Fed() override {
        if (opened != nullptr) std::fclose(opened);
    }

    std::string left;
    std::size_t step = 5000;
    bool ends = false, fails = false;
    int pulls = 0, dones = 0;
    std::string file;
    std::FILE* opened = nullptr;
};

struct Streams : ::testing::TestWithParam<std::string> {
    std::unique_ptr<CompressedSource> compressed(http::Response::Content content) {
        const auto codings = codings_from({GetParam()}, 0);
        auto lease = pool->lease(codings->front(), 0);
        auto source = std::make_unique<CompressedSource>(
            std::move(*lease), http::Waker{wakes, http::Ticket{}}, std::nullopt);
        source->read(Input{std::move(content), nullptr});
        return source;
    }
    /// All of it, in pieces of `piece` bytes.
    static std::string read(http::Source& source, std::size_t piece) {
        std::string bytes;
        std::string room(piece, '\0');
        for (;;) {
            const Pulled pulled = source.pull(room);
            if (const auto* const ready = std::get_if<http::Source::Ready>(&pulled))
                bytes.append(room, 0, ready->size);
            else if (!std::holds_alternative<http::Source::NotReady>(pulled))
                return std::holds_alternative<http::Source::End>(pulled) ? bytes : "failed";
        }
    }
    std::string part(http::Source& source) {
        std::string room(16 * 1024, '\0');
        const Pulled pulled = source.pull(room);
        const auto* const ready = std::get_if<http::Source::Ready>(&pulled);
        EXPECT_NE(ready, nullptr);
        return ready != nullptr ? room.substr(0, ready->size) : "";
    }
    static bool pauses(http::Source& source) {
        std::string room(16 * 1024, '\0');
        return std::holds_alternative<http::Source::NotReady>(source.pull(room));
    }

    std::shared_ptr<Wakes> wakes = std::make_shared<Wakes>();
    std::shared_ptr<EncoderPool> pool = std::make_shared<EncoderPool>(std::size_t{64} << 20u);
};
INSTANTIATE_TEST_SUITE_P(Codings, Streams, ::testing::Values("gzip", "br", "zstd"),
                         [](const auto& tested) { return tested.param; });

TEST_P(Streams, GiveTheContentInAnyPieces) {
    for (const std::size_t size :
         {std::size_t{1}, slice_bytes - 1, slice_bytes, slice_bytes + 1, 3 * slice_bytes + 77})
        for (const std::size_t piece :
             {std::size_t{1}, std::size_t{7}, std::size_t{4099}, std::size_t{32 * 1024}})
            for (const bool is_noise : {false, true}) {
                if (piece == 1 && size > slice_bytes) continue;  // takes long, and shows no more
                const std::string content = is_noise ? noise_of(size) : text_of(size);
                const auto source = compressed(content);
                EXPECT_EQ(decompressed(GetParam(), read(*source, piece)), content)
                    << size << " in pieces of " << piece;
            }
}

TEST_P(Streams, RestAfterEachSlice) {
    const auto source = compressed(std::string(10 * slice_bytes, 'x'));  // gives next to nothing
    std::string room(32 * 1024, '\0');
    int turns = 1;
    for (;;) {
        const Pulled pulled = source->pull(room);
        if (std::holds_alternative<http::Source::End>(pulled)) break;
        if (!std::holds_alternative<http::Source::NotReady>(pulled)) continue;
        EXPECT_EQ(wakes->count, turns) << "nobody else would";
        EXPECT_EQ(source->due(), never);
        ++turns;
    }
    EXPECT_GE(turns, 10);
}

TEST_P(Streams, ReadFilesAndSources) {
    auto fed = std::make_unique<Fed>();
    Fed& input = *fed;
    const std::string file = text_of(100'000), rest = noise_of(50'000);
    input.write_file(file);
    input.left = rest;
    input.ends = true;
    const auto source = compressed(std::move(fed));
    EXPECT_EQ(source->size(), std::nullopt);
    EXPECT_EQ(decompressed(GetParam(), read(*source, 10'000)), file + rest);
    EXPECT_EQ(source->trailers(), "X-Sum: 1\r\n");
    source->done(http::Outcome::sent);
    EXPECT_EQ(input.dones, 1);
}

TEST_P(Streams, FlushWhatIsThereBeforeTheyPause) {
    auto fed = std::make_unique<Fed>();
    Fed& input = *fed;
    const auto source = compressed(std::move(fed));
    EXPECT_TRUE(pauses(*source));
    std::string sent, written;
    for (const char* const event : {"data: one\n\n", "data: two\n\n", "data: three\n\n"}) {
        input.left = event;
        written += event;
        sent += part(*source);
        EXPECT_EQ(readable_part(GetParam(), sent), written);
        const int pulls = input.pulls;
        EXPECT_TRUE(pauses(*source));
        EXPECT_EQ(input.pulls, pulls) << "it is asked again only when its peer has all so far";
        EXPECT_EQ(source->due(), input.due());
        EXPECT_TRUE(pauses(*source));
    }
    EXPECT_EQ(wakes->count, 0) << "the source wakes";
    input.ends = true;
    sent += read(*source, 100);
    EXPECT_EQ(decompressed(GetParam(), sent), written);
}

TEST_P(Streams, FailAsTheirInputDoes) {
    auto fed = std::make_unique<Fed>();
    fed->fails = true;
    EXPECT_EQ(read(*compressed(std::move(fed)), 100), "failed");
    auto shrunk = std::make_unique<Fed>();
    shrunk->write_file(text_of(100'000));
    ASSERT_EQ(::ftruncate(::fileno(shrunk->opened), 60'000), 0);
    EXPECT_EQ(read(*compressed(std::move(shrunk)), 100), "failed");
}

TEST_P(Streams, GiveTheirEncoderBack) {
    const auto before = pool->bytes();
    for (int i = 0; i < 3; ++i) {
        const auto source = compressed(text_of(200'000));
        EXPECT_GT(pool->bytes(), before);
        std::string room(100, '\0');
        source->pull(room);  // the peer leaves here
    }
    EXPECT_EQ(pool->bytes(), before);
    EXPECT_EQ(decompressed(GetParam(), read(*compressed(std::string{"whole again"}), 100)),
              "whole again");
}

struct Streamed : CompressTest {};

TEST_F(Streamed, LongContentIsWhole) {
    content = text_of(3'000'000);
    for (const std::string& coding : available()) {
        const Answer answer = get({{"Accept-Encoding", coding}});
        EXPECT_EQ(answer.field("Transfer-Encoding"), "chunked");
        EXPECT_LT(answer.content.size(), content.size() / 2);
        EXPECT_EQ(content_of(answer), content);
    }
    EXPECT_EQ(compressor().counts().stream_bytes, 0u);
}

TEST_F(Streamed, WhatTheLimitLeavesNoRoomForIsSentAsItIs) {
    options.stream_bytes_max = 100'000;  // less than any encoder takes
    for (const std::size_t size : {std::size_t{4000}, std::size_t{400'000}}) {
        content = text_of(size);
        const Answer answer = get_gzip();
        EXPECT_EQ(answer.field("Content-Encoding"), "");
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding");
        EXPECT_EQ(answer.content, content);
    }
    EXPECT_EQ(compressor().counts().without_memory, 2u);
}

TEST_F(Streamed, OnesAtATimeAreLimited) {
    options.stream_bytes_max = 600'000;  // two of gzip
    content = text_of(2'000'000);
    const Fields gzip{{"Accept-Encoding", "gzip"}};
    std::optional one{probe().open_blocked("GET", "/", gzip)};
    auto two = probe().open_blocked("GET", "/", gzip);
    EXPECT_EQ(get(gzip).field("Content-Encoding"), "");
    one.reset();  // its peer leaves
    EXPECT_EQ(get(gzip).field("Content-Encoding"), "gzip");
    two.take(true);
    EXPECT_EQ(content_of(two.wait()), content);
}

/// What a router's coroutine answers, and what it streams.
TEST_F(Streamed, AnswersOfCoroutinesAreCompressed) {
    web::Router router;
    router.get("/later", [this](web::Call) -> web::Task<http::Response> { co_return page(); });
    router.get("/callback", [this](web::Call call) { call.respond(page()); });
    handler.answer = [&](const http::Request& request) { return router.handle(request); };
    for (const char* const target : {"/later", "/callback"}) {
        const Answer answer = get_gzip({}, target);
        EXPECT_EQ(answer.field("Content-Encoding"), "gzip") << target;
        EXPECT_EQ(content_of(answer), content) << target;
    }
}

}  // namespace
}  // namespace weir::compress

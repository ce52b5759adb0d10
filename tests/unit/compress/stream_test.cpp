// Contents that are compressed as the peer takes them.

#include <unistd.h>

#include <sys/stat.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "compress/stream/compressed_source.h"
#include "unit/compress/compress_fixture.h"
#include "weir/web/router.h"

namespace weir::compress {
namespace {

using Pulled = http::Source::Pulled;
using tests::decompressed;
using tests::readable_part;

struct Wakes final : http::Postbox {
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override {
        const std::lock_guard lock{mutex};
        ++count;
        came.notify_all();
    }
    /// Until there was one more than the test knows of.
    void wait() {
        std::unique_lock lock{mutex};
        ++known;
        came.wait(lock, [this] { return count >= known; });
    }

    std::mutex mutex;
    std::condition_variable came;
    int count = 0;
    int known = 0;
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
    std::optional<std::uint64_t> size() const override { return announced; }
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
    std::optional<std::uint64_t> announced{};
    std::size_t step = 5000;
    bool ends = false, fails = false;
    int pulls = 0, dones = 0;
    std::string file;
    std::FILE* opened = nullptr;
};

struct Streams : ::testing::TestWithParam<std::string> {
    std::unique_ptr<CompressedSource> compressed(http::Response::Content content,
                                                 std::shared_ptr<const void> owner = nullptr) {
        const auto codings = codings_from({GetParam()}, 0);
        auto lease =
            pool->lease(codings->front(), codings->front().for_streams, EncodingTask::own_bytes);
        auto source = std::make_unique<CompressedSource>(
            std::make_shared<EncodingTask>(std::move(*lease), http::Waker{wakes, http::Ticket{}},
                                           std::nullopt),
            helpers);
        source->read(std::move(content), std::move(owner));
        return source;
    }
    /// What comes next, after the turns of helpers.
    Pulled next(http::Source& source, std::span<char> room) {
        for (;;) {
            Pulled pulled = source.pull(room);
            if (!std::holds_alternative<http::Source::NotReady>(pulled)) return pulled;
            if (source.due() == looks_for_it)  // a helper has it
                wakes->wait();
            else if (source.due() > Instant{})
                return pulled;
        }
    }
    /// All of it, in pieces of `piece` bytes.
    std::string read(http::Source& source, std::size_t piece) {
        std::string bytes;
        std::string room(piece, '\0');
        for (;;) {
            const Pulled pulled = next(source, room);
            if (const auto* const ready = std::get_if<http::Source::Ready>(&pulled))
                bytes.append(room, 0, ready->size);
            else
                return std::holds_alternative<http::Source::End>(pulled) ? bytes : "failed";
        }
    }
    std::string part(http::Source& source) {
        std::string room(16 * 1024, '\0');
        const Pulled pulled = next(source, room);
        const auto* const ready = std::get_if<http::Source::Ready>(&pulled);
        EXPECT_NE(ready, nullptr);
        return ready != nullptr ? room.substr(0, ready->size) : "";
    }
    bool pauses(http::Source& source) {
        std::string room(16 * 1024, '\0');
        return std::holds_alternative<http::Source::NotReady>(next(source, room));
    }

    /// A wake-up may get lost where there is no memory for it.
    static constexpr Instant looks_for_it{std::chrono::seconds{1}};
    std::shared_ptr<Wakes> wakes = std::make_shared<Wakes>();
    std::shared_ptr<EncoderPool> pool = std::make_shared<EncoderPool>(std::size_t{64} << 20u);
    std::shared_ptr<Helpers> helpers = std::make_shared<Helpers>();
};
INSTANTIATE_TEST_SUITE_P(Codings, Streams, ::testing::Values("gzip", "br", "zstd"),
                         [](const auto& tested) { return tested.param; });

TEST_P(Streams, GiveTheContentInAnyPieces) {
    for (const std::size_t size :
         {std::size_t{1}, EncodingTask::piece_bytes_max - 1, EncodingTask::piece_bytes_max,
          EncodingTask::piece_bytes_max + 1, 3 * EncodingTask::piece_bytes_max + 77})
        for (const std::size_t piece :
             {std::size_t{1}, std::size_t{7}, std::size_t{4099}, std::size_t{32 * 1024}})
            for (const bool is_noise : {false, true}) {
                if (piece == 1 && size > EncodingTask::piece_bytes_max)
                    continue;  // takes long, and shows no more
                const std::string content = is_noise ? noise_of(size) : text_of(size);
                const auto source = compressed(content);
                EXPECT_EQ(decompressed(GetParam(), read(*source, piece)), content)
                    << size << " in pieces of " << piece;
            }
}

TEST_P(Streams, AreCompressedByAHelper) {
    const auto source = compressed(text_of(100'000));
    std::string room(32 * 1024, '\0');
    const bool has_to_wait = std::holds_alternative<http::Source::NotReady>(source->pull(room));
    EXPECT_TRUE(!has_to_wait || source->due() == looks_for_it);
    wakes->wait();  // by the helper, which may have been done before pull() looked
    EXPECT_TRUE(!has_to_wait || std::holds_alternative<http::Source::Ready>(source->pull(room)));
}

TEST_P(Streams, OfLittleAreCompressedAtOnce) {
    auto fed = std::make_unique<Fed>();
    fed->left = text_of(4000);
    fed->ends = true;
    const auto source = compressed(std::move(fed));
    std::string bytes, room(1024, '\0');
    for (Pulled pulled = source->pull(room); !std::holds_alternative<http::Source::End>(pulled);
         pulled = source->pull(room))
        bytes.append(room, 0, std::get<http::Source::Ready>(pulled).size);
    EXPECT_EQ(decompressed(GetParam(), bytes), text_of(4000));
    EXPECT_EQ(wakes->count, 0);
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
        std::string room(100, '\0');
        EXPECT_TRUE(std::holds_alternative<http::Source::NotReady>(source->pull(room)));
        EXPECT_EQ(input.pulls, pulls) << "it is asked again only when its peer has all so far";
        EXPECT_EQ(source->due(), Instant{}) << "and it is, since its wake may have come before";
        EXPECT_TRUE(pauses(*source));
        EXPECT_EQ(input.pulls, pulls + 1);
        EXPECT_EQ(source->due(), input.due());
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

/// A source that gives all that it has announced need not end: it is not asked again.
TEST_P(Streams, OfAnAnnouncedSizeEndWithTheirLastByte) {
    for (const std::uint64_t announced : {9'999u, 10'000u, 10'001u}) {
        auto fed = std::make_unique<Fed>();
        fed->left = text_of(10'000);
        fed->announced = announced;
        fed->ends = announced > 10'000;
        const auto got = read(*compressed(std::move(fed)), 100);
        if (announced == 10'000)
            EXPECT_EQ(decompressed(GetParam(), got), text_of(10'000));
        else
            EXPECT_EQ(got, "failed") << announced;
    }
}

/// Whichever thread reads it.
TEST_P(Streams, OfAFileThatChangesFail) {
    for (const bool has_owner : {true, false}) {
        const std::string content = text_of(400'000);
        Fed file;
        file.write_file(content);
        const int fd = ::fileno(file.opened);
        // Its times have to change by the write below.
        const timespec old[2]{{.tv_sec = 1'000'000, .tv_nsec = 0},
                              {.tv_sec = 1'000'000, .tv_nsec = 0}};
        ASSERT_EQ(::futimens(fd, old), 0);
        const http::FileRange range{.fd = fd, .offset = 0, .size = content.size()};
        const auto owner = has_owner ? std::make_shared<int>() : nullptr;
        EXPECT_EQ(decompressed(GetParam(), read(*compressed(range, owner), 100)), content);
        const auto source = compressed(range, owner);
        std::string room(10, '\0');
        ASSERT_TRUE(std::holds_alternative<http::Source::Ready>(next(*source, room)));
        ASSERT_EQ(::pwrite(fd, "other", 5, 200'000), 5);
        EXPECT_EQ(read(*source, 1000), "failed");
    }
}

/// As in a deployment: what is open stays as it was.
TEST_P(Streams, OfAFileThatIsReplacedAreWhole) {
    const std::string content = text_of(400'000);
    const std::string name = ::testing::TempDir() + "replaced_" + GetParam();
    ::unlink(name.c_str());
    std::FILE* const named = std::fopen(name.c_str(), "w+");
    ASSERT_NE(named, nullptr);
    std::fwrite(content.data(), 1, content.size(), named);
    std::fflush(named);
    const auto source =
        compressed(http::FileRange{.fd = ::fileno(named), .offset = 0, .size = content.size()},
                   std::make_shared<int>());
    std::string room(10, '\0');
    ASSERT_TRUE(std::holds_alternative<http::Source::Ready>(next(*source, room)));
    ASSERT_EQ(::unlink(name.c_str()), 0);
    EXPECT_EQ(decompressed(GetParam(), room + read(*source, 1000)), content);
    std::fclose(named);
}

/// What it has not begun is dropped, and what it works on comes back to nobody.
TEST_P(Streams, MayBeLeftAtAnyTime) {
    for (int i = 0; i < 20; ++i) {
        const auto source = compressed(text_of(200'000));
        std::string room(100, '\0');
        source->pull(room);
    }
    helpers.reset();
    EXPECT_EQ(pool->bytes(), 0u);
}

TEST_P(Streams, GiveTheirEncoderBack) {
    const auto before = pool->bytes();
    for (int i = 0; i < 3; ++i) {
        const auto source = compressed(text_of(200'000));
        EXPECT_GT(pool->bytes(), before);
        std::string room(100, '\0');
        next(*source, room);  // the peer leaves here
    }
    helpers = std::make_shared<Helpers>();  // the former have let go of all
    EXPECT_EQ(pool->bytes(), before);
    EXPECT_EQ(decompressed(GetParam(), read(*compressed(std::string{"whole again"}), 100)),
              "whole again");
}

struct Streamed : CompressTest {
    /// A helper may let go of a task a moment after its peer has all of it.
    void await_stream_bytes(std::size_t bytes) {
        while (compressor().counts().stream_bytes > bytes) std::this_thread::yield();
    }
};

TEST_F(Streamed, LongContentIsWhole) {
    content = text_of(3'000'000);
    for (const std::string& coding : available()) {
        const Answer answer = get({{"Accept-Encoding", coding}});
        EXPECT_EQ(answer.field("Transfer-Encoding"), "chunked");
        EXPECT_LT(answer.content.size(), content.size() / 2);
        EXPECT_EQ(content_of(answer), content);
    }
    await_stream_bytes(0);
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
    options.stream_bytes_max = 700'000;  // two of gzip
    content = text_of(2'000'000);
    const Fields gzip{{"Accept-Encoding", "gzip"}};
    std::optional one{probe().open_blocked("GET", "/", gzip)};
    auto two = probe().open_blocked("GET", "/", gzip);
    EXPECT_EQ(get(gzip).field("Content-Encoding"), "");
    one.reset();  // its peer leaves
    await_stream_bytes(350'000);
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

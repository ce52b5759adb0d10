// Answers that are compressed as they are sent, under every engine.

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>

#include "contract/contract.h"
#include "unit/compress/decompressed.h"
#include "weir/compress/compress.h"

namespace weir::tests {
namespace {

enum class Kind { pattern, plain, noise };

/// As much as it is asked for: the pattern of the tests, one byte again and again, or what no coding makes
/// smaller.
class Endless final : public http::Source {
   public:
    Endless(std::uint64_t bytes, Kind kind, std::atomic<std::uint64_t>& pulled)
        : left_{bytes}, kind_{kind}, pulled_{pulled} {}

    Pulled pull(std::span<char> into) override {
        if (left_ == 0) return End{};
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, into.size()));
        fill(into.first(size));
        offset_ += size;
        left_ -= size;
        pulled_ += size;
        return Ready{size};
    }

   private:
    void fill(std::span<char> into) {
        switch (kind_) {
            case Kind::pattern: pattern(offset_, into.size()).copy(into.data(), into.size()); break;
            case Kind::plain: std::ranges::fill(into, 'x'); break;
            case Kind::noise:
                for (char& byte : into) byte = static_cast<char>(random_());
                break;
        }
    }

    std::uint64_t left_;
    std::size_t offset_ = 0;
    Kind kind_;
    std::minstd_rand random_{1};
    std::atomic<std::uint64_t>& pulled_;
};

/// "/source/BYTES", "/plain/BYTES" and "/noise/BYTES" stream, "/text/BYTES" has its content in memory.
struct Texts final : http::Handler {
    http::Reply handle(const http::Request& request) override {
        const std::string_view path = request.path();
        const auto bytes = std::stoull(std::string{path.substr(path.rfind('/') + 1)});
        http::Response response;
        response.add("Content-Type", "text/plain");
        if (path.starts_with("/text/"))
            response.content(pattern(0, bytes)).add("ETag", "\"v1\"");
        else
            response.content(std::make_unique<Endless>(bytes, kind_of(path), pulled));
        return response;
    }
    static Kind kind_of(std::string_view path) {
        if (path.starts_with("/plain/")) return Kind::plain;
        return path.starts_with("/noise/") ? Kind::noise : Kind::pattern;
    }

    std::atomic<std::uint64_t> pulled = 0;
};

struct Compressed : Contract {
    Compressed() : compressor{*compress::around(texts, {})} {}

    Client peer(Client::Options of_client = {}) {
        if (!compressed) compressed.emplace(engine(), *compressor, options);
        return compressed->client(of_client);
    }
    static std::string asking(std::string_view target, std::string_view coding) {
        return get(target, "Accept-Encoding: " + std::string{coding} + "\r\n");
    }

    Texts texts;
    std::unique_ptr<compress::Compressor> compressor;
    std::optional<Server> compressed;  // last: gone before what it uses
};
WEIR_OVER_EVERY_ENGINE(Compressed);

TEST_P(Compressed, TenMegabytesArriveWhole) {
    constexpr std::size_t size = 10'000'000;
    for (const std::string& coding : compress::available())
        for (const char* const target : {"/source/10000000", "/text/10000000"}) {
            const auto answer = peer().ask(asking(target, coding));
            EXPECT_EQ(answer.field("Content-Encoding"), coding);
            expect_pattern(decompressed(coding, answer.content), size);
        }
}

TEST_P(Compressed, SmallAnswersFollowEachOther) {
    auto client = peer();
    const auto request = asking("/text/20000", "gzip");
    client.send(request + request + request);
    for (int i = 0; i < 3; ++i)
        expect_pattern(decompressed("gzip", client.answer().content), 20'000);
}

/// It is compressed as fast as the peer takes it, and no faster.
TEST_P(Compressed, ASlowReaderHasLittleOnItsWay) {
    constexpr std::uint64_t sockets_hold = 20'000'000;
    constexpr std::size_t read_in_all = 200'000;
    auto client = peer({.receive_buffer_bytes = 4096});
    client.send(asking("/noise/1000000000000", "gzip"));
    client.answer_head();
    for (std::size_t read = 0; read < read_in_all; read += read_chunk(client).size())
        ASSERT_LT(texts.pulled.load(), sockets_hold);
    EXPECT_LE(compressor->counts().stream_bytes, 1'000'000u);
    client.reset();
}

/// What compresses to almost nothing never waits for its peer. The loop still serves others.
TEST_P(Compressed, OthersAreServedMeanwhile) {
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    if (options.engine.workers == 2) options.engine.workers = 1;  // the same loop for both
    auto busy = peer();
    busy.send(
        asking("/plain/" + std::to_string(std::numeric_limits<std::uint64_t>::max()), "gzip"));
    busy.answer_head();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(peer().ask(asking("/text/20000", "br")).status, 200);
    busy.reset();
}

}  // namespace
}  // namespace weir::tests

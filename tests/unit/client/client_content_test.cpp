// Content on its way to and from other servers.

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>

#include "client_fixture.h"
#include "weir/web/body.h"
#include "weir/web/flag.h"
#include "weir/web/stream.h"
#include "weir/web/task_group.h"

namespace weir::web {
namespace {

using Reason = ClientError::Reason;

/// More than the sockets and the queues on the way can have.
constexpr std::size_t large = 4 * 1024 * 1024;

struct ClientContent : ClientFixture {
    ClientContent() {
        other.get("/large", [this](const Call& call) {
            return stream(call, "text/plain", [this](Stream out) -> Task<> {
                const std::string piece(1024, 'a');
                for (; made < large; made += piece.size()) co_await out.write(piece);
            });
        });
        other.post("/count", [](Call call) -> Task<Response> {
            auto body = call.body();
            std::size_t size = 0;
            while (const auto piece = co_await body.next()) size += piece->size();
            co_return text(std::to_string(size));
        });
        other.post("/refuse",
                   [](Call) -> Task<Response> { co_return text("no", Status::content_too_large); });
    }
    Task<> write_on(ClientUpload& upload) {
        const std::string piece(large, 'a');  // more than the way to the server holds
        writes.set();
        was_needed = co_await upload.write(piece);
    }

    std::size_t made = 0;
    bool was_needed = true;
    const Flag writes;
    const Flag answers;
};

TEST_F(ClientContent, ComesAsItIsTaken) {
    std::size_t taken = 0;
    const Flag goes_on;
    router.get("/", [&](Call) -> Task<Response> {
        auto response = co_await client->get("http://a/large");
        taken += (co_await response.next())->size();
        co_await goes_on.wait();
        while (const auto piece = co_await response.next()) taken += piece->size();
        co_return text("done");
    });
    auto exchange = probe.open("GET", "/");
    exchange.answer();
    EXPECT_GT(taken, 0u);
    EXPECT_LT(made, large / 4);  // the coroutine slows the server down
    goes_on.set();
    EXPECT_EQ(exchange.wait().content, "done");
    EXPECT_EQ(taken, large);
}

TEST_F(ClientContent, IsPassedOnByAStream) {
    router.get("/", [this](Call call) -> Task<Response> {
        auto response = co_await client->get("http://a/large");
        auto pass = [response = std::move(response)](Stream out) mutable -> Task<> {
            while (const auto piece = co_await response.next()) co_await out.write(*piece);
        };
        co_return stream(call, "text/plain", std::move(pass));
    });
    EXPECT_EQ(probe.get("/").content.size(), large);
}

TEST_F(ClientContent, IsCollectedUpToALimit) {
    with({.content_bytes_max = 10'000});
    respond_with_content_of({"GET", "http://a/large"});
    EXPECT_EQ(probe.get("/").status, 502);
    EXPECT_EQ(reason, Reason::too_large);
}

TEST_F(ClientContent, ThatEndsEarlyThrows) {
    other.get("/", [](const Call& call) {
        return stream(call, "text/plain", [](Stream out) -> Task<> {
            co_await out.write("some");
            throw std::runtime_error{"no more"};
        });
    });
    std::string pieces;
    respond_with([&](Client& of) -> Task<std::string> {
        auto response = co_await of.get("http://a/");
        while (const auto piece = co_await response.next()) pieces += *piece;
        co_return pieces;
    });
    EXPECT_EQ(probe.get("/").status, 502);
    EXPECT_EQ(reason, Reason::closed);
    EXPECT_EQ(pieces, "some");
}

TEST_F(ClientContent, HasItsTrailers) {
    struct Trailed final : http::Handler {
        struct Content final : http::Source {
            Pulled pull(std::span<char> into) override {
                if (std::exchange(is_given, true)) return End{};
                into[0] = 'x';
                return Ready{1};
            }
            std::string_view trailers() const override { return "Digest: abc\r\n"; }
            bool is_given = false;
        };
        http::Reply handle(const http::Request&) override {
            http::Response response;
            response.content(std::make_unique<Content>());
            return response;
        }
    } trailed;
    probe.play_other_servers(trailed);
    respond_with([](Client& of) -> Task<std::string> {
        auto response = co_await of.get("http://a/");
        auto content = co_await response.all();
        EXPECT_EQ(response.trailer("digest"), "abc");
        EXPECT_FALSE(response.trailer("other"));
        co_return content;
    });
    EXPECT_EQ(probe.get("/").content, "x");
}

// ---- content that a coroutine writes ----

TEST_F(ClientContent, IsWrittenAsTheServerTakesIt) {
    respond_with([](Client& of) -> Task<std::string> {
        auto upload = co_await of.upload(ClientRequest{"POST", "http://a/count"});
        const std::string piece(10'000, 'a');
        for (std::size_t size = 0; size < large; size += piece.size())
            EXPECT_TRUE(co_await upload.write(piece));
        auto response = co_await upload.response();
        co_return co_await response.all();
    });
    EXPECT_EQ(probe.get("/").content, std::to_string((large / 10'000 + 1) * 10'000));
}

TEST_F(ClientContent, WaitsForAServerThatTakesNone) {
    const Flag goes_on;
    other.post("/wait", [goes_on](Call call) -> Task<Response> {
        co_await goes_on.wait();
        auto body = call.body();
        while (co_await body.next()) {}
        co_return text("done");
    });
    std::size_t written = 0;
    respond_with([&](Client& of) -> Task<std::string> {
        auto upload = co_await of.upload(ClientRequest{"POST", "http://a/wait"});
        const std::string piece(10'000, 'a');
        for (; written < large; written += piece.size()) co_await upload.write(piece);
        auto response = co_await upload.response();
        co_return co_await response.all();
    });
    auto exchange = probe.open("GET", "/");
    exchange.answer();
    EXPECT_LT(written, large / 4);
    goes_on.set();
    EXPECT_EQ(exchange.wait().content, "done");
}

TEST_F(ClientContent, OfAKnownSizeHasALength) {
    other.post("/length", [](const Call& call) {
        return text(std::string{call.field("Content-Length").value_or("none")} +
                    std::string{call.content()});
    });
    respond_with([](Client& of) -> Task<std::string> {
        auto upload = co_await of.upload(ClientRequest{"POST", "http://a/length"}, 5);
        co_await upload.write("he");
        co_await upload.write("llo");
        auto response = co_await upload.response();
        co_return co_await response.all();
    });
    EXPECT_EQ(probe.get("/").content, "5hello");
}

TEST_F(ClientContent, OfAnotherSizeThanSaidThrows) {
    router.get("/{size}", [this](Call call) -> Task<Response> {
        auto upload = co_await client->upload(ClientRequest{"POST", "http://a/count"},
                                              *call.parameter<std::uint64_t>("size"));
        co_await upload.write("hello");
        co_await upload.response();
        co_return text("");
    });
    EXPECT_EQ(probe.get("/4").status, 500);
    EXPECT_EQ(probe.get("/6").status, 500);
    ASSERT_EQ(probe.failures().size(), 2u);
    EXPECT_TRUE(probe.failures()[0].contains("longer")) << probe.failures()[0];
    EXPECT_TRUE(probe.failures()[1].contains("shorter")) << probe.failures()[1];
}

TEST_F(ClientContent, IsNoLongerNeededAfterAnEarlyResponse) {
    respond_with([&](Client& of) -> Task<std::string> {
        auto upload = co_await of.upload(ClientRequest{"POST", "http://a/refuse"});
        const std::string piece(10'000, 'a');
        for (int i = 0; i < 1'000 && was_needed; ++i) was_needed = co_await upload.write(piece);
        auto response = co_await upload.response();
        EXPECT_EQ(response.status(), Status::content_too_large);
        co_return co_await response.all();
    });
    EXPECT_EQ(probe.get("/").content, "no");
    EXPECT_FALSE(was_needed);
}

TEST_F(ClientContent, OfAnUploadEndsWithItsResponse) {
    other.post("/held", [this](Call) -> Task<Response> {
        co_await answers.wait();
        co_return text("held");
    });
    respond_with([this](Client& of) -> Task<std::string> {
        auto upload = co_await of.upload(ClientRequest{"POST", "http://a/held"});
        const auto run = [this, &upload](TaskGroup& tasks) -> Task<std::string> {
            tasks.start(write_on(upload));
            co_await writes.wait();
            auto response = co_await upload.response();
            co_await tasks.all();
            co_return co_await response.all();
        };
        std::string content = co_await task_group(run);
        EXPECT_FALSE(was_needed);
        EXPECT_THROW(co_await upload.write("late"), std::logic_error);
        co_return content;
    });
    auto exchange = probe.open("GET", "/");
    answers.set();
    EXPECT_EQ(exchange.wait().content, "held");
}

TEST_F(ClientContent, OfAnUploadIsNotInItsRequest) {
    EXPECT_THROW(
        static_cast<void>(client->upload(ClientRequest{"POST", "http://a/"}.content("a", ""))),
        std::invalid_argument);
}

}  // namespace
}  // namespace weir::web

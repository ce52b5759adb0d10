#include "web/calling/called_later.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "weir/web/probe.h"

namespace weir::web {
namespace {

using http::Reply;
using http::Request;

/// Replies later, and calls another handler then.
class CallsLater final : public http::Handler {
   public:
    explicit CallsLater(http::Handler& inner) : inner_{inner} {}
    Reply handle(const Request& request) override {
        return http::Later{std::make_unique<Calls>(inner_, request.share())};
    }

   private:
    class Calls final : public http::Continuation {
       public:
        Calls(http::Handler& inner, std::shared_ptr<const Request> request)
            : behind_{inner, std::move(request)} {}
        Reply resume() override { return behind_.resume(); }
        Instant due() const noexcept override { return behind_.due(); }
        void cut() noexcept override { behind_.cut(); }

       private:
        detail::CalledLater behind_;
    };
    http::Handler& inner_;
};

http::Response with(std::string content) {
    http::Response response;
    response.content(std::move(content));
    return response;
}

/// Each path is a way to answer.
class Inner final : public http::Handler {
   public:
    int calls = 0;
    std::optional<http::Deferred> deferred{};
    std::optional<http::Waker> waker{};
    std::string taken{};

    Reply handle(const Request& request) override {
        ++calls;
        if (request.path() == "/read" && request.content_pending()) return http::ReadContent{};
        if (request.path() == "/stream" && request.content_pending()) {
            waker.emplace(request.waker());
            return http::StreamContent{std::make_unique<Pausing>(taken)};
        }
        if (request.path() == "/deferred") {
            waker.emplace(request.waker());
            deferred.emplace(request.defer());
            return http::Later{};
        }
        return with(std::string{request.content()} + taken);
    }

   private:
    class Pausing final : public http::Sink {
       public:
        explicit Pausing(std::string& taken) : taken_{taken} {}
        Taken take(std::string_view bytes) override {
            taken_ += bytes;
            return Taken::paused;
        }

       private:
        std::string& taken_;
    };
};

struct Later : ::testing::Test {
    Inner inner;
    CallsLater rule{inner};
    Probe probe{rule};
};

TEST_F(Later, AHandlerAnswersAtOnce) {
    EXPECT_EQ(probe.get("/").status, 200u);
    EXPECT_EQ(inner.calls, 1);
}

TEST_F(Later, AHandlerReadsTheContent) {
    EXPECT_EQ(probe.post("/read", "content").content, "content");
    EXPECT_EQ(inner.calls, 2);
}

TEST_F(Later, ASinkTakesMoreOnlyWhenItIsWoken) {
    auto exchange = probe.open("POST", "/stream", {{"Content-Length", "6"}});
    exchange.send("abc");
    static_cast<void>(exchange.answer());
    EXPECT_EQ(inner.taken, "abc");
    exchange.send("def");
    static_cast<void>(exchange.answer());
    EXPECT_EQ(inner.taken, "abc") << "it has paused";
    inner.waker->wake();
    EXPECT_EQ(exchange.wait().content, "abcdef");
    EXPECT_EQ(inner.calls, 2);
}

TEST_F(Later, AHandlerThatAnswersLaterIsCalledOnce) {
    auto exchange = probe.open("GET", "/deferred");
    static_cast<void>(exchange.answer());
    inner.waker->wake();
    static_cast<void>(exchange.answer());
    EXPECT_EQ(inner.calls, 1);
    inner.deferred->respond(with("later"));
    EXPECT_EQ(exchange.wait().content, "later");
}

}  // namespace
}  // namespace weir::web

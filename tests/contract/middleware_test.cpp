// Middleware of weir::web around handlers, and errors within it, under every engine.

#include <memory>
#include <string>

#include "contract/web_fixture.h"

namespace weir::tests {
namespace {

using namespace std::chrono_literals;
using web::Call;
using web::Next;
using web::Task;

/// Answers with the content, which it collects.
struct Echo final : http::Handler {
    http::Reply handle(const http::Request& request) override {
        if (request.content_pending()) return http::ReadContent{};
        return web::text("mounted " + std::string{request.content()});
    }
};

struct MiddlewareContract : WebFixture {
    void SetUp() override {
        Contract::SetUp();
        router.on_error([](const web::Error& error) {
            return web::text(error.kind == web::Error::Kind::threw ? "threw" : "none",
                             error.status);
        });
        router.use([](const Call&, web::Response& response) { response.add("X-Outer", "yes"); });
        for (int i = 0; i < 2; ++i)
            router.use([this](Call call, Next next) -> Task<web::Response> {
                const Counted counted{alive};
                const int before = co_await web::offload(background, [] { return 1; });
                int& passed = call.get<int>() != nullptr ? *call.get<int>() : call.set<int>(0);
                passed += before;
                auto response = co_await next();
                passed += co_await web::offload(background, [] { return 10; });
                response.set("X-Passed", std::to_string(passed));
                co_return response;
            });
        router.post("/function",
                    [](const Call& call) { return "function " + std::string{call.content()}; });
        router.post("/coroutine", [](Call call) -> Task<web::Response> {
            std::string all;
            auto body = call.body();
            while (const auto piece = co_await body.next()) all += *piece;
            co_return web::text("coroutine " + all);
        });
        router.post("/callback", [this](Call call) {
            background.post(std::make_shared<Answering>(std::move(call)));
        });
        router.post("/throw", [](const Call&) -> web::Response {
            throw web::Refusal{http::Status::conflict, "no"};
        });
        router.post("/waits", [](Call) -> Task<web::Response> {
            co_await web::sleep_for(1h);
            co_return web::Response{};
        });
        router.mount("/mounted", std::make_unique<Echo>());
    }
    struct Answering final : web::detail::Job {
        explicit Answering(Call&& own) : call{std::move(own)} {}
        void run() noexcept override {
            call.respond(web::text("callback " + std::string{call.content()}));
        }
        Call call;
    };
};
WEIR_OVER_EVERY_ENGINE(MiddlewareContract);

TEST_P(MiddlewareContract, WrapsHandlersOfEveryForm) {
    auto peer = web_client();
    const std::string content = pattern(0, 100'000);
    for (const std::string form : {"function", "coroutine", "callback", "mounted"}) {
        const std::string path = form == "mounted" ? "/mounted/x" : "/" + form;
        const auto answer = peer.ask(post(path, content));
        EXPECT_EQ(answer.content, form + " " + content);
        EXPECT_EQ(answer.field("X-Passed"), "22");
        EXPECT_EQ(answer.field("X-Outer"), "yes");
    }
    const auto missing = peer.ask(get("/none"));
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(missing.content, "none");
    EXPECT_EQ(missing.field("X-Passed"), "22");
    EXPECT_EQ(peer.ask(post("/throw", "x")).status, 409);
    expect_all_gone();
}

TEST_P(MiddlewareContract, EndsWithThePeerAtAnyPoint) {
    for (int i = 0; i < 40; ++i) {
        auto peer = web_client();
        switch (i % 4) {
            case 0: peer.send(post("/callback", "x")); break;
            case 1: peer.send(post_head("/coroutine", 100'000) + pattern(0, 40'000)); break;
            case 2: peer.send(post_head("/mounted/x", 100'000) + pattern(0, 40'000)); break;
            default: peer.send(post("/waits", "")); break;
        }
        if (i % 8 < 4) peer.reset();
    }
    stop_and_expect_all_gone();
}

}  // namespace
}  // namespace weir::tests

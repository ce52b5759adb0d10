#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "weir/client/client.h"
#include "weir/web/probe.h"
#include "weir/web/response.h"
#include "weir/web/router.h"

namespace weir::web {

/// A program that asks another server, whose handlers are in `other`.
struct ClientFixture : ::testing::Test {
    ClientFixture() { probe.play_other_servers(other); }

    /// GET / responds with what `ask` returns, or with the reason of its ClientError.
    template <typename Ask>
    void respond_with(Ask ask) {
        router.get("/", [this, ask](Call) -> Task<Response> {
            try {
                co_return text(co_await ask(*client));
            } catch (const ClientError& error) {
                reason = error.reason();
                failed_url = error.url();
                throw;
            }
        });
    }
    /// GET / responds with the content of a response to this request.
    void respond_with_content_of(ClientRequest request) {
        respond_with([request = std::move(request)](Client& of) -> Task<std::string> {
            auto response = co_await of.send(request);
            co_return co_await response.all();
        });
    }
    Client& with(ClientOptions options) { return client.emplace(std::move(options)); }

    Router other;
    std::optional<Client> client{std::in_place};
    Router router;
    Probe probe{router};
    std::optional<ClientError::Reason> reason{};
    std::string failed_url;
};

}  // namespace weir::web

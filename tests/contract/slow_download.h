#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "contract/contract.h"
#include "contract/held_memory.h"
#include "support/http2_client.h"
#include "weir/proxy/proxy.h"

namespace weir::tests {

/// The engine under test passes on what another server sends, and a client takes it slowly. Neither
/// side may hold more for a longer response.
struct SlowDownload : Contract {
    void TearDown() override {
        front.reset();
        upstream.reset();
        Contract::TearDown();
    }
    /// A client with a small window.
    Client client_of_proxy() {
        upstream.emplace(*engines::find("per-core"), handler, Server::Options{});
        auto made = proxy::proxy_to(
            nothing,
            {.routes = {{.path = "/", .servers = {"http://" + upstream->address().text()}}}});
        if (!made) throw Unexpected{made.error()};
        proxy = std::move(*made);
        front.emplace(engine(), *proxy, options);
        return front->client({.receive_buffer_bytes = 4096});
    }

    /// `read_content` takes `much`, in pieces that it forgets.
    template <typename ReadContent>
    static void expect_little_is_held(ReadContent read_content) {
        const std::size_t before = HeldMemory::bytes();
        HeldMemory::forget_most();
        read_content();
        EXPECT_LE(HeldMemory::most(), before + little);
    }
    static void expect_little_of_http1(Channel& peer) {
        peer.send(get("/hello"));
        ASSERT_EQ(read_answer(peer, AnswerTo::get).content, "hello\n");
        expect_little_is_held([&peer] {
            peer.send(get(target + "&sized"));
            ASSERT_EQ(read_head(peer, AnswerTo::get).length, much);
            std::size_t from = 0;
            peer.pass(much, [&from](std::string_view piece) {
                EXPECT_FALSE(first_difference(piece, from)) << "after " << from;
                from += piece.size();
            });
        });
    }
    static void expect_little_of_http2(std::unique_ptr<Channel> channel) {
        Http2Client peer{std::move(channel)};
        ASSERT_EQ(peer.ask("/hello").content, "hello\n");
        expect_little_is_held([&peer] {
            auto& stream = peer.stream(peer.request(target));
            std::size_t from = 0;
            while (!stream.is_over() && peer.read_frame()) {
                ASSERT_FALSE(first_difference(stream.content, from)) << "after " << from;
                from += stream.content.size();
                stream.content.clear();
            }
            EXPECT_EQ(from, much);
        });
    }

    static constexpr std::size_t much = 32 * 1024 * 1024;
    /// What the sides hold together. A ring may hold a megabyte that the kernel has received.
    static constexpr std::size_t little = much / 4;
    static inline const std::string target = "/stream?bytes=" + std::to_string(much);

    ScriptedHandler nothing;
    std::optional<Server> upstream;
    std::unique_ptr<proxy::ProxyHandler> proxy;
    std::optional<Server> front;
};

}  // namespace weir::tests

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "contract/contract.h"
#include "support/http2_client.h"

namespace weir::tests {

/// HTTP/2 over every engine. The tests run twice: in the clear (http2_in_the_clear.cpp) and through TLS
/// (http2_through_tls.cpp), which say what is between the sockets and HTTP.
struct Http2 : Contract {
    Http2();

    std::unique_ptr<Channel> channel(std::string_view protocol, Client::Options of_client = {}) {
        return open_(client(of_client), protocol);
    }
    Http2Client http2_client(Client::Options of_client = {}) {
        return Http2Client{channel("h2", of_client)};
    }
    /// That a connection, or a new one, gets an answer.
    static void expect_hello(Http2Client& peer) {
        EXPECT_EQ(peer.ask("/hello").content, "hello\n");
    }
    void expect_served_by_http2() {
        auto peer = http2_client();
        expect_hello(peer);
    }
    void expect_served_by_http1() {
        const auto peer = channel("http/1.1");
        peer->send(get("/hello"));
        EXPECT_EQ(read_answer(*peer, AnswerTo::get).content, "hello\n");
    }

    /// One at a time, on every engine.
    void let_one_connection_in();
    /// Requests, in batches, and again those that the server says that it has not taken (RFC 9113 6.8).
    void send_all(std::size_t count);
    /// The same on one connection. Returns how many have got their answers.
    std::size_t send_on_one_connection(std::size_t count);

    /// More than the sockets hold, with all that it needs of the windows.
    static constexpr std::uint32_t large = 20'000'000;
    static http2::StreamId ask_for_much(Http2Client& peer, std::string_view target) {
        const auto stream = peer.request(std::string{target} + "&bytes=" + std::to_string(large));
        peer.open(0, large);
        peer.open(stream, large);
        return stream;
    }

   private:
    std::function<std::unique_ptr<Channel>(Client socket, std::string_view protocol)> open_;
};

}  // namespace weir::tests

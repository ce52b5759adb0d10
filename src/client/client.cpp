#include "weir/client/client.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "client/asking.h"
#include "client/received.h"
#include "client/redirect.h"
#include "client/request_head.h"
#include "client/sending.h"
#include "client/url.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace detail {
namespace {

http::client::ClientTimeouts timeouts_of(const ClientOptions& options) {
    return {.connect = options.connect_timeout,
            .transmit = options.transmit_timeout,
            .response = options.response_timeout,
            .content = options.content_timeout,
            .keep_alive = options.keep_alive};
}

std::optional<net::Address> unix_socket_of(const ClientOptions& options) {
    if (options.unix_socket.empty()) return std::nullopt;
    auto address = net::Address::parse("unix:" + options.unix_socket, 0);
    if (!address)
        throw std::invalid_argument{"the path of a unix socket has at most 107 bytes: " +
                                    options.unix_socket};
    return address;
}

Url url_of(const ClientRequest& request, const ClientOptions& options) {
    auto url = parse_url(request.url());
    if (!url) throw std::invalid_argument{"not a URL of http or https: " + request.url()};
    if (url->is_secure && !options.tls)
        throw std::invalid_argument{"https needs ClientOptions::tls: " + request.url()};
    return std::move(*url);
}

ClientError not_followed(const Url& from, std::string_view why) {
    return {ClientError::Reason::redirected, http::Status::bad_gateway,
            "The server behind this one redirects " + std::string{why}, from.text()};
}

/// The place that a redirect leads to. Nothing: the response is the answer.
std::optional<Url> next_url(const ClientResponse& response, const Url& from, bool has_tls) {
    const auto location = response.field("Location");
    if (!is_redirect(response.status()) || !location) return std::nullopt;
    auto to = resolve(from, *location);
    if (!to || (to->is_secure && !has_tls))
        throw not_followed(from, "to a URL that this one does not ask for");
    return to;
}

/// Null if the content stays as it comes: the program asks for a coding itself, or for none.
const ContentDecoding* ask_for_coded(ClientRequest& request, const ClientOptions& options) {
    // A part of a coded file can't be decoded by itself, and not every server leaves parts uncoded.
    const auto is_asked_for = [](const auto& field) {
        return http::equals_ignoring_case(field.first, "Accept-Encoding") ||
               http::equals_ignoring_case(field.first, "Range");
    };
    if (!options.decoding || options.decoding->codings().empty() ||
        std::ranges::any_of(request.fields(), is_asked_for))
        return nullptr;
    request.field("Accept-Encoding", options.decoding->codings());
    return options.decoding.get();
}

Task<ClientResponse> send_and_follow(Client::State& client, ClientRequest request) {
    const ClientOptions& options = client.options;
    const ContentDecoding* const decoding = ask_for_coded(request, options);
    for (unsigned redirects = 0;; ++redirects) {
        const Url url = url_of(request, options);
        auto asks = ask(client, whole_request(request, url, options.user_agent), url, false);
        auto asking = co_await asks;
        co_await HeadWait{*asking};
        ClientResponse response{
            std::make_unique<Received>(std::move(asking), options.content_bytes_max, decoding)};
        if (options.redirects_max == 0) co_return response;
        const auto next = next_url(response, url, options.tls != nullptr);
        if (!next) co_return response;
        if (redirects == options.redirects_max) throw not_followed(url, "too often");
        request = redirected(request, response.status(), url, *next);
    }
}

Task<ClientUpload> begin_upload(Client::State& client, ClientRequest request,
                                std::optional<std::uint64_t> size) {
    const Url url = url_of(request, client.options);
    const ContentDecoding* const decoding = ask_for_coded(request, client.options);
    auto asks =
        ask(client, streamed_request(request, url, client.options.user_agent, size), url, true);
    auto asking = co_await asks;
    co_return ClientUpload{std::make_unique<Sending>(std::move(asking), size,
                                                     client.options.content_bytes_max, decoding)};
}

}  // namespace
}  // namespace detail

Client::State::State(ClientOptions of)
    : options{std::move(of)},
      unix_socket{detail::unix_socket_of(options)},
      pool{{.timeouts = detail::timeouts_of(options),
            .kept_max = options.kept_max,
            .connections_max = options.connections_max,
            .waiting_max = options.waiting_max,
            .layer = options.tls}} {}

Client::Client(ClientOptions options) : state_{std::make_unique<State>(std::move(options))} {}
Client::~Client() = default;

Task<ClientResponse> Client::get(std::string url) {
    return send(ClientRequest{"GET", std::move(url)});
}

Task<ClientResponse> Client::post(std::string url, std::string content,
                                  std::string_view media_type) {
    return send(ClientRequest{"POST", std::move(url)}.content(std::move(content), media_type));
}

Task<ClientResponse> Client::send(ClientRequest request) {
    return detail::send_and_follow(*state_, std::move(request));
}

Task<ClientUpload> Client::upload(ClientRequest request, std::optional<std::uint64_t> size) {
    if (request.content())
        throw std::invalid_argument{"the coroutine writes the content of an upload"};
    return detail::begin_upload(*state_, std::move(request), size);
}

}  // namespace weir::web

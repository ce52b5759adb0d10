#include "weir/client/client_response.h"

#include "client/received.h"
#include "http/syntax/field_lines.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace detail {
namespace {

Task<std::string> collect(Received& received) {
    std::string content;
    while (const auto piece = co_await NextReceived{received}) {
        if (piece->size() > received.bytes_max - content.size())
            throw ClientError{ClientError::Reason::too_large, http::Status::bad_gateway,
                              "The response of the server behind this one is too long",
                              received.asking->url().text()};
        content += *piece;
    }
    co_return content;
}

}  // namespace

bool NextReceived::is_ready(Instant /*now*/) noexcept {
    const auto seen = received_.asking->exchange().look();
    return seen.has_bytes || seen.has_ended || seen.failure != upstream::Failure::none;
}

std::optional<std::string_view> NextReceived::await_resume() {
    SharedExchange& exchange = received_.asking->exchange();
    exchange.take(received_.piece);
    if (!received_.piece.empty()) return received_.piece;
    const auto seen = exchange.look();
    if (!seen.has_ended) throw received_.asking->error(seen.failure);
    return std::nullopt;
}

}  // namespace detail

ClientResponse::ClientResponse(std::unique_ptr<detail::Received> received) noexcept
    : received_{std::move(received)} {}
ClientResponse::ClientResponse(ClientResponse&& other) noexcept = default;
ClientResponse& ClientResponse::operator=(ClientResponse&& other) noexcept = default;
ClientResponse::~ClientResponse() = default;

http::Status ClientResponse::status() const noexcept {
    return static_cast<http::Status>(received_->answer().code);
}

bool ClientResponse::is_ok() const noexcept {
    const unsigned code = received_->answer().code;
    return code >= 200 && code < 300;
}

std::vector<std::pair<std::string_view, std::string_view>> ClientResponse::fields() const {
    const upstream::Answered& answer = received_->answer();
    std::vector<std::pair<std::string_view, std::string_view>> fields;
    fields.reserve(answer.index.fields.size());
    for (const http::FieldLine& line : answer.index.fields)
        fields.emplace_back(line.name.in(answer.head.data()), line.value.in(answer.head.data()));
    return fields;
}

std::optional<std::string_view> ClientResponse::field(std::string_view name) const noexcept {
    const upstream::Answered& answer = received_->answer();
    for (const http::FieldLine& line : answer.index.fields)
        if (http::equals_ignoring_case(line.name.in(answer.head.data()), name))
            return line.value.in(answer.head.data());
    return std::nullopt;
}

std::optional<std::string_view> ClientResponse::trailer(std::string_view name) const noexcept {
    std::optional<std::string_view> found;
    if (!received_->asking->exchange().look().has_ended) return found;
    http::for_each_line(received_->asking->exchange().trailers(),
                        [&](std::string_view, std::string_view own, std::string_view value) {
                            if (!found && http::equals_ignoring_case(own, name)) found = value;
                        });
    return found;
}

const std::string& ClientResponse::url() const noexcept { return received_->url; }

Task<std::string> ClientResponse::all() { return detail::collect(*received_); }

}  // namespace weir::web

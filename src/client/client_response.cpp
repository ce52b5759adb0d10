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
        if (piece->size() > received.bytes_max() - content.size())
            throw ClientError{ClientError::Reason::too_large, http::Status::bad_gateway,
                              "The response of the server behind this one is too long",
                              received.url()};
        content += *piece;
    }
    co_return content;
}

/// Fields that hold for the content as it came.
bool is_gone(const Received& received, std::string_view name) noexcept {
    return received.is_decoded() && (http::equals_ignoring_case(name, "Content-Encoding") ||
                                     http::equals_ignoring_case(name, "Content-Length"));
}

}  // namespace

bool NextReceived::begin(Runner& runner) {
    received_.ask_for_next();
    return !is_ready(runner.now());
}

bool NextReceived::is_ready(Instant /*now*/) noexcept { return received_.has_next(); }

std::optional<std::string_view> NextReceived::await_resume() {
    const std::string_view piece = received_.take();
    return piece.empty() ? std::nullopt : std::optional{piece};
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
    for (const http::FieldLine& line : answer.index.fields) {
        const std::string_view name = line.name.in(answer.head.data());
        if (!detail::is_gone(*received_, name))
            fields.emplace_back(name, line.value.in(answer.head.data()));
    }
    return fields;
}

std::optional<std::string_view> ClientResponse::field(std::string_view name) const noexcept {
    if (detail::is_gone(*received_, name)) return std::nullopt;
    const upstream::Answered& answer = received_->answer();
    for (const http::FieldLine& line : answer.index.fields)
        if (http::equals_ignoring_case(line.name.in(answer.head.data()), name))
            return line.value.in(answer.head.data());
    return std::nullopt;
}

std::optional<std::string_view> ClientResponse::trailer(std::string_view name) const noexcept {
    std::optional<std::string_view> found;
    http::for_each_line(received_->trailers(),
                        [&](std::string_view, std::string_view own, std::string_view value) {
                            if (!found && http::equals_ignoring_case(own, name)) found = value;
                        });
    return found;
}

const std::string& ClientResponse::url() const noexcept { return received_->url(); }

Task<std::string> ClientResponse::all() { return detail::collect(*received_); }

}  // namespace weir::web

#include "proxy/response_back.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/answer/date.h"
#include "http/head/framing.h"
#include "http/syntax/field_lines.h"
#include "net/clock.h"
#include "proxy/hop_by_hop.h"
#include "upstream/failure_answer.h"
#include "weir/http/tunnel.h"

namespace weir::proxy {
namespace {

using http::FieldName;
using upstream::SharedExchange;

/// Reads from the exchange what the client takes next.
http::Source::Pulled pull_from(SharedExchange& exchange, std::span<char> into) {
    for (;;) {
        if (const std::size_t size = exchange.read(into)) return http::Source::Ready{size};
        const auto seen = exchange.look();
        if (seen.has_bytes) continue;
        if (seen.has_ended) return http::Source::End{};
        if (seen.failure != upstream::Failure::none) return http::Source::Failed{};
        return http::Source::NotReady{};
    }
}

/// The content of a response.
class Download final : public http::Source {
   public:
    Download(std::shared_ptr<SharedExchange> exchange, std::optional<std::uint64_t> size)
        : exchange_{std::move(exchange)}, size_{size} {}

    Pulled pull(std::span<char> into) override { return pull_from(*exchange_, into); }
    std::optional<std::uint64_t> size() const override { return size_; }
    std::string_view trailers() const override { return exchange_->trailers(); }
    bool ends_with_peer() const noexcept override { return true; }
    void done(http::Outcome) noexcept override { exchange_->cancel(); }

   private:
    const std::shared_ptr<SharedExchange> exchange_;
    const std::optional<std::uint64_t> size_;
};

/// Bytes both ways, after a 101.
class Passage final : public http::Tunnel {
   public:
    explicit Passage(std::shared_ptr<SharedExchange> exchange) : exchange_{std::move(exchange)} {}

    Pulled pull(std::span<char> into) override { return pull_from(*exchange_, into); }
    bool takes() const noexcept override { return exchange_->look().takes_content; }
    std::size_t take(std::string_view bytes) override {
        exchange_->put(bytes);
        return bytes.size();
    }
    void end_input() noexcept override { exchange_->end_content(); }
    /// The other protocol's way to end is unknown here: it has the time of requests in progress.
    void retire() noexcept override {}
    void done(http::Outcome) noexcept override { exchange_->cancel(); }

   private:
    const std::shared_ptr<SharedExchange> exchange_;
};

/// Lives until the response was sent.
struct Kept {
    std::string lines;
    UnderWay under_way;
};

/// The lines for the client: without those of the connection, and Date (date_of()).
std::string fields_of(const upstream::Answered& answer, bool is_http_1) {
    const char* const head = answer.head.data();
    HopByHop hop_by_hop;
    for (const http::FieldLine& line : answer.index.fields)
        if (line.id == FieldName::connection) hop_by_hop.add(line.value.in(head));
    std::string lines;
    for (const http::FieldLine& line : answer.index.fields) {
        const std::string_view name = line.name.in(head);
        if (hop_by_hop.has(name) || http::equals_ignoring_case(name, "date")) continue;
        // RFC 8441 5: this one belongs to HTTP/1.1.
        if (!is_http_1 && http::equals_ignoring_case(name, "sec-websocket-accept")) continue;
        http::append_line(lines, name, line.value.in(head));
    }
    return lines;
}

/// The time at which the other server made its response; 0 if it does not say so. An invalid date
/// is none.
std::int64_t date_of(const upstream::Answered& answer) {
    const char* const head = answer.head.data();
    for (const http::FieldLine& line : answer.index.fields)
        if (http::equals_ignoring_case(line.name.in(head), "date"))
            return http::parse_date(line.value.in(head), net::read_clock().unix_seconds)
                .value_or(0);
    return 0;
}

/// Of a response to HEAD, the length that one to GET would have.
std::optional<std::uint64_t> announced_length(const upstream::Answered& answer) {
    if (!answer.index.has(FieldName::content_length)) return std::nullopt;
    const auto framing = http::content_framing_of(answer.head.data(), answer.index);
    return framing.fault == http::Fault::none ? std::optional{framing.content_length}
                                              : std::nullopt;
}

void set_content(http::Response& response, std::shared_ptr<SharedExchange> exchange) {
    const upstream::Answered& answer = exchange->answer();
    const bool is_head = exchange->request().method == http::Method::head;
    const auto length = is_head ? announced_length(answer) : answer.content_length;
    if (!http::may_have_content(response.status()) || length == 0) return exchange->cancel();
    // Content that has come with its head moves to the output without a copy.
    if (!is_head && exchange->look().has_ended && exchange->trailers().empty()) {
        std::string whole;
        exchange->take(whole);
        response.content(std::move(whole));
        return;
    }
    response.content(std::make_unique<Download>(std::move(exchange), length));
}

}  // namespace

bool has_asked_protocol(const upstream::Answered& answer) noexcept {
    const http::FieldLine* const line = answer.index.find(FieldName::upgrade);
    return line != nullptr && !answer.index.is_repeated(FieldName::upgrade) &&
           http::equals_ignoring_case(line->value.in(answer.head.data()), upgrade_protocol);
}

http::Response response_back(std::shared_ptr<SharedExchange> exchange, UnderWay under_way,
                             bool is_http_1) {
    const upstream::Answered& answer = exchange->answer();
    auto kept = std::make_shared<const Kept>(fields_of(answer, is_http_1), std::move(under_way));
    http::Response response;
    if (!answer.is_tunnel) response.status(static_cast<http::Status>(answer.code));
    response.date(date_of(answer)).prepared_fields(kept->lines).retain(kept);
    if (answer.is_tunnel)
        response.upgrade(upgrade_protocol, std::make_unique<Passage>(std::move(exchange)));
    else
        set_content(response, std::move(exchange));
    return response;
}

http::EarlyHints hints_back(const upstream::Answered& hints, bool is_http_1) {
    return {.lines = fields_of(hints, is_http_1), .status = static_cast<http::Status>(hints.code)};
}

http::Response response_to(upstream::Failure failure) {
    const auto [status, sentence] = upstream::answer_to(failure);
    return http::error_response(status, sentence);
}

}  // namespace weir::proxy

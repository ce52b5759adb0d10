#include <algorithm>

#include "base/bytes/random_hex.h"
#include "http/head/trace_context.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

std::string random_hex(std::size_t bytes) {
    std::string text;
    append_random_hex(text, bytes);
    return text;
}

bool is_id(std::string_view text) noexcept {
    constexpr std::size_t bytes_max = 128;
    return !text.empty() && text.size() <= bytes_max && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == '.';
    });
}

class RequestIds final : public Middleware {
   public:
    std::string_view name() const noexcept override { return "request_ids"; }
    std::optional<Response> before(const Call& call) override {
        detail::Notes& notes = call.state().own_notes();
        const std::string_view given = call.field("X-Request-Id").value_or("");
        notes.request_id = is_id(given) ? std::string{given} : random_hex(16);
        const std::string_view trace = http::trace_id_of(call.field("traceparent").value_or(""));
        notes.trace_id = trace.empty() ? random_hex(16) : std::string{trace};
        notes.span_id = random_hex(8);
        return std::nullopt;
    }
    void after(const Call& call, Response& response) override {
        response.add("X-Request-Id", call.request_id());
    }
};

}  // namespace

std::shared_ptr<Middleware> request_ids() { return std::make_shared<RequestIds>(); }

}  // namespace weir::web

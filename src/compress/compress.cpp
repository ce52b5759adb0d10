#include "weir/compress/compress.h"

#include <cstddef>
#include <utility>

#include "compress/compressing.h"
#include "http/content/changed_later.h"
#include "http/syntax/get_or_head.h"
#include "weir/http/field_name.h"

namespace weir::compress {

using http::FieldName;
using http::Reply;
using http::Request;

struct Compressor::State {
    State(http::Handler& of, std::unique_ptr<Compressing> its)
        : handler{of}, own{std::move(its)}, compressing{*own} {}

    http::Handler& handler;
    const std::unique_ptr<Compressing> own;
    Compressing& compressing;
};

namespace {

/// The handler has no content in a coding that the client accepts: calls it again without
/// Accept-Encoding.
Reply answer_in_any_coding(http::Handler& handler, const Request& request) {
    std::vector<std::pair<std::size_t, std::string>> wishes;
    for (std::size_t i = 0; i < request.fields().size(); ++i)
        if (request.fields()[i].id == FieldName::accept_encoding)
            wishes.emplace_back(i, request.value_of(request.fields()[i]));
    for (const auto& [index, value] : wishes) request.change(index, "");
    Reply reply = handler.handle(request);
    if (std::holds_alternative<http::Response>(reply))  // another owner may have shared the request
                                                        // otherwise
        for (const auto& [index, value] : wishes) request.change(index, value);
    return reply;
}

bool is_not_acceptable(const Reply& reply) noexcept {
    const auto* const response = std::get_if<http::Response>(&reply);
    return response != nullptr && response->status() == http::Status::not_acceptable;
}

/// The response of a handler that continues later: a router's callback or coroutine.
class LaterAnswer final : public http::ChangedLater {
   public:
    LaterAnswer(std::unique_ptr<http::Continuation> of, std::shared_ptr<const Request> request,
                Compressing& compressing) noexcept
        : ChangedLater{std::move(of)}, request_{std::move(request)}, compressing_{compressing} {}

   private:
    void change(http::Response& response) override { compressing_.complete(*request_, response); }

    std::shared_ptr<const Request> request_;
    Compressing& compressing_;
};

}  // namespace

std::vector<std::string> usual_types() {
    return {"text/*",
            "application/javascript",
            "application/json",
            "application/ld+json",
            "application/manifest+json",
            "application/rtf",
            "application/vnd.ms-fontobject",
            "application/wasm",
            "application/x-ndjson",
            "application/xml",
            "application/yaml",
            "font/otf",
            "font/ttf",
            "+json",
            "+xml"};
}

Compressor::Compressor(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}
Compressor::~Compressor() = default;

Reply Compressor::handle(const Request& request) {
    state_->compressing.prepare(request);
    Reply reply = state_->handler.handle(request);
    if (is_not_acceptable(reply) && http::is_get_or_head(request.method()) &&
        state_->compressing.could_code(request)) [[unlikely]]
        reply = answer_in_any_coding(state_->handler, request);
    if (auto* const response = std::get_if<http::Response>(&reply))
        state_->compressing.complete(request, *response);
    else if (auto* const later = std::get_if<http::Later>(&reply); later && later->continuation)
        later->continuation = std::make_unique<LaterAnswer>(std::move(later->continuation),
                                                            request.share(), state_->compressing);
    return reply;
}

Counts Compressor::counts() const { return state_->compressing.counts(); }

std::expected<std::unique_ptr<Compressor>, std::string> around(http::Handler& handler,
                                                               Options options) {
    auto compressing = Compressing::from(std::move(options));
    if (!compressing) return std::unexpected{std::move(compressing.error())};
    return std::make_unique<Compressor>(
        std::make_unique<Compressor::State>(handler, std::move(*compressing)));
}

}  // namespace weir::compress

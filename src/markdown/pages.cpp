#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/form_decoded.h"
#include "http/answer/preconditions.h"
#include "http/answer/preference.h"
#include "http/syntax/field_lines.h"
#include "http/syntax/get_or_head.h"
#include "markdown/answer/page.h"
#include "markdown/answer/source_text.h"
#include "markdown/answer/wishes.h"
#include "weir/http/field_name.h"
#include "weir/markdown/markdown.h"

namespace weir::markdown {

using http::Reply;
using http::Request;
using http::Response;
using http::Status;

namespace {

std::string_view name_of(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

bool is_of_markdown(const Request& request) noexcept {
    if (!http::is_get_or_head(request.method())) return false;
    const std::string_view name = name_of(request.path());
    const auto dot = name.rfind('.');
    if (dot == name.npos) return false;
    const std::string_view extension = name.substr(dot + 1);
    return http::equals_ignoring_case(extension, "md") ||
           http::equals_ignoring_case(extension, "markdown");
}

bool asks_for_source(std::string_view query) {
    bool asks = false;
    for_each_parameter(query, [&](std::string_view one) { asks = asks || one == "raw"; });
    return asks;
}

bool prefers_page(const Request& request) {
    return http::media_type_weight(request, "text/html") >
           http::media_type_weight(request, "text/markdown");
}

std::string_view field_of(const Response& response, std::string_view wanted) {
    std::string_view found;
    const auto take = [&](std::string_view, std::string_view name, std::string_view value) {
        if (http::equals_ignoring_case(name, wanted)) found = value;
    };
    http::for_each_line(response, take);
    return found;
}

/// False for a download, and for another type.
bool is_shown_as_text(const Response& response) {
    const std::string_view type = field_of(response, "Content-Type");
    const std::string_view essence = type.substr(0, type.find(';'));
    return response.status() == Status::ok &&
           (essence == "text/plain" || essence == "text/markdown") &&
           field_of(response, "Content-Encoding").empty() &&
           field_of(response, "Content-Disposition").empty();
}

class Pages final : public http::Handler {
   public:
    Pages(http::Handler& inner, Renderer renderer) : inner_{inner}, renderer_{renderer} {}

    Reply handle(const Request& request) override {
        if (!is_of_markdown(request)) return inner_.handle(request);
        const bool shows = !asks_for_source(request.query()) && prefers_page(request);
        if (shows)
            if (auto page = page_for(request)) return std::move(*page);
        Reply reply = inner_.handle(request);
        if (auto* const response = std::get_if<Response>(&reply)) response->add("Vary", "Accept");
        return reply;
    }

   private:
    /// Null if the client gets the response of the inner handler.
    std::optional<Reply> page_for(const Request& request) const {
        Reply reply = file_for(request);
        const auto* const file = std::get_if<Response>(&reply);
        if (file == nullptr) return reply;
        if (!is_shown_as_text(*file)) return std::nullopt;
        const std::string tag = page_tag(field_of(*file, "ETag"));
        switch (http::evaluate_preconditions(request, {.entity_tag = tag}, 0)) {  // no dates
            case http::Verdict::precondition_failed:
                return http::error_response(Status::precondition_failed);
            case http::Verdict::not_modified: return answer_not_modified(*file, tag);
            case http::Verdict::proceed: break;
        }
        const auto text = source_text(*file);
        const auto rendered = text ? renderer_.render(*text) : std::nullopt;
        if (!rendered) return std::nullopt;
        return answer_with_page(*file, tag, page_of(*rendered, name_of(request.path())));
    }

    Reply file_for(const Request& request) const {
        Wishes wishes{request};
        Reply reply = inner_.handle(request);
        if (!std::holds_alternative<Response>(reply)) wishes.forget();
        return reply;
    }

    http::Handler& inner_;
    Renderer renderer_;
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> show_pages(http::Handler& inner) {
    auto renderer = Renderer::open();
    if (!renderer) return std::unexpected{std::move(renderer.error())};
    return std::make_unique<Pages>(inner, *renderer);
}

}  // namespace weir::markdown

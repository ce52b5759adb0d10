#include "rules/site_fields.h"

#include <string_view>
#include <utility>
#include <variant>

#include "http/content/changed_later.h"
#include "rules/completed.h"
#include "site/fields/site_fields.h"

namespace weir::rules {
namespace {

using http::Request;
using http::Response;
using http::Status;

constexpr std::string_view mark = "Weir-Done";

class Mark final : public Completion {
   public:
    /// The line is short enough for a string without memory of its own. Some handlers drop fields
    /// without a value.
    void complete(Response& response) const override { response.add(mark, "1"); }
};

bool take_mark(Response& response) {
    if (!response.get(mark)) return false;
    response.remove(mark);
    return true;
}

class Marked final : public http::Handler {
   public:
    explicit Marked(http::Handler& inner) : inner_{inner} {}

    http::Reply handle(const Request& request) override {
        return completed(inner_.handle(request), mark_);
    }

   private:
    http::Handler& inner_;
    const std::shared_ptr<const Mark> mark_ = std::make_shared<const Mark>();
};

bool is_any(Status) noexcept { return true; }

bool is_no_refusal(Status status) noexcept {
    return status != Status::unauthorized && status != Status::forbidden &&
           status != Status::too_many_requests && status != Status::service_unavailable;
}

/// The fields, and the responses that the answer to a preflight may replace.
struct Added {
    site::SiteFields fields;
    bool (*may_replace)(Status);

    void add_to(Response& response, const Request& request) const {
        if (!take_mark(response)) fields.add_to(response, request, may_replace);
    }
};

class Later final : public http::ChangedLater {
   public:
    Later(std::unique_ptr<http::Continuation> inner, std::shared_ptr<const Request> request,
          std::shared_ptr<const Added> added) noexcept
        : ChangedLater{std::move(inner)}, request_{std::move(request)}, added_{std::move(added)} {}

   private:
    void change(Response& response) override { added_->add_to(response, *request_); }

    const std::shared_ptr<const Request> request_;
    const std::shared_ptr<const Added> added_;
};

class SiteFieldsAround final : public http::Handler {
   public:
    SiteFieldsAround(http::Handler& inner, Added added)
        : inner_{inner}, added_{std::make_shared<const Added>(std::move(added))} {}

    http::Reply handle(const Request& request) override {
        http::Reply reply = inner_.handle(request);
        if (auto* const response = std::get_if<Response>(&reply))
            added_->add_to(*response, request);
        else if (auto* const later = std::get_if<http::Later>(&reply); later && later->continuation)
            later->continuation =
                std::make_unique<Later>(std::move(later->continuation), request.share(), added_);
        return reply;
    }

   private:
    http::Handler& inner_;
    const std::shared_ptr<const Added> added_;
};

}  // namespace

std::unique_ptr<http::Handler> mark_complete(http::Handler& inner) {
    return std::make_unique<Marked>(inner);
}

std::expected<std::unique_ptr<http::Handler>, std::string> complete_unmarked(
    http::Handler& inner, const site::Options& options, Preflights preflights) {
    auto fields = site::SiteFields::from(options);
    if (!fields) return std::unexpected{std::move(fields.error())};
    return std::make_unique<SiteFieldsAround>(
        inner, Added{.fields = std::move(*fields),
                     .may_replace = preflights == Preflights::always ? is_any : is_no_refusal});
}

}  // namespace weir::rules

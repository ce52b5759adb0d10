#include "weir/web/resource.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "http/answer/byte_ranges.h"
#include "http/answer/date.h"
#include "http/answer/preconditions.h"
#include "web/answer/open_file.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace {

using http::ByteRange;
using http::RequestedRanges;

/// For dates with a year of two digits, and for dates that may still be weak.
std::int64_t unix_seconds() noexcept { return std::time(nullptr); }

http::Validators view_of(const Validators& validators) noexcept {
    return {.entity_tag = validators.entity_tag, .last_modified = validators.last_modified};
}

bool reads(http::Method method) noexcept {
    return method == http::Method::get || method == http::Method::head;
}

std::string date_of(std::int64_t seconds) {
    std::array<char, http::date_size> text;
    http::render_date(seconds, text);
    return {text.data(), text.size()};
}

/// Sends a part of something that can be read from any offset.
class SeekableSource final : public http::Source {
   public:
    SeekableSource(std::unique_ptr<Seekable> content, ByteRange range) noexcept
        : content_{std::move(content)}, range_{range}, left_{range.size} {}

    Pulled pull(std::span<char> into) override {
        if (left_ == 0) return End{};
        const auto room = into.first(std::min<std::uint64_t>(into.size(), left_));
        const std::size_t got = content_->read(range_.first + range_.size - left_, room);
        if (got == 0 || got > room.size()) return Failed{};
        left_ -= got;
        return Ready{got};
    }
    std::optional<std::uint64_t> size() const override { return range_.size; }

   private:
    std::unique_ptr<Seekable> content_;
    ByteRange range_;
    std::uint64_t left_;
};

/// What of a resource is to be sent.
struct Choice {
    Response response;
    std::optional<ByteRange> range;  // nothing: the response is complete
};

std::string content_range(const std::string& range, std::uint64_t size) {
    return "bytes " + range + "/" + std::to_string(size);
}

Choice choose(const Call& call, std::string_view media_type, const Validators& validators,
              std::uint64_t size) {
    if (auto unmet = unmet_condition(call, validators)) return {std::move(*unmet), {}};
    const auto asked = call.request().field(http::FieldName::range);
    RequestedRanges ranges;
    if (asked && call.method() == http::Method::get &&
        http::range_is_current(call.request(), view_of(validators), unix_seconds()))
        ranges = http::requested_ranges(*asked, size);
    if (ranges.kind == RequestedRanges::Kind::unsatisfiable)
        return {http::error_response(Status::range_not_satisfiable)
                    .add("Content-Range", content_range("*", size)),
                {}};
    const bool is_part = ranges.kind == RequestedRanges::Kind::satisfiable && ranges.count == 1;
    const ByteRange range = is_part ? ranges.ranges[0] : ByteRange{0, size};
    Response response{is_part ? Status::partial_content : Status::ok};
    response.add("Content-Type", media_type).add("Accept-Ranges", "bytes");
    add_validators(response, validators);
    if (is_part) {
        const std::string last = std::to_string(range.first + range.size - 1);
        response.add("Content-Range",
                     content_range(std::to_string(range.first) + "-" + last, size));
    }
    return {std::move(response), range};
}

}  // namespace

std::optional<Response> unmet_condition(const Call& call, const Validators& validators) {
    switch (http::evaluate_preconditions(call.request(), view_of(validators), unix_seconds())) {
        case http::Verdict::proceed: return std::nullopt;
        case http::Verdict::precondition_failed: break;
        case http::Verdict::not_modified:
            if (!reads(call.method())) break;  // RFC 9110 13.1.2
            Response response{Status::not_modified};
            add_validators(response, validators);
            return response;
    }
    return http::error_response(Status::precondition_failed);
}

void add_validators(Response& response, const Validators& validators) {
    if (!validators.entity_tag.empty()) response.add("ETag", validators.entity_tag);
    if (validators.last_modified) response.add("Last-Modified", date_of(*validators.last_modified));
}

Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::string content) {
    auto [response, range] = choose(call, media_type, validators, content.size());
    if (range && range->size == content.size())
        response.content(std::move(content));
    else if (range)
        response.content(content.substr(range->first, range->size));
    return std::move(response);
}

Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::unique_ptr<Seekable> content) {
    auto [response, range] = choose(call, media_type, validators, content->size());
    if (range) response.content(std::make_unique<SeekableSource>(std::move(content), *range));
    return std::move(response);
}

Response resource_file(const Call& call, std::string_view media_type, const std::string& path) {
    auto opened = OpenFile::open(path);
    if (!opened) return http::error_response(Status::not_found);
    const Validators validators{.entity_tag = opened->entity_tag(),
                                .last_modified = opened->modified};
    auto [response, range] = choose(call, media_type, validators, opened->size);
    if (range)
        response
            .content(http::FileRange{.fd = opened->fd, .offset = range->first, .size = range->size})
            .retain(std::move(opened));
    return std::move(response);
}

}  // namespace weir::web

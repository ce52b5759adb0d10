#include "weir/web/resource.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "base/random_boundary.h"
#include "http/answer/byte_ranges.h"
#include "http/answer/date.h"
#include "http/answer/multipart_ranges.h"
#include "http/answer/preconditions.h"
#include "http/syntax/get_or_head.h"
#include "web/answer/open_file.h"
#include "web/calling/errors.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace {

using http::RequestedRanges;

/// For dates with a year of two digits, and for dates that may still be weak.
std::int64_t unix_seconds() noexcept { return std::time(nullptr); }

http::Validators view_of(const Validators& validators) noexcept {
    return {.entity_tag = validators.entity_tag, .last_modified = validators.last_modified};
}

std::string date_of(std::int64_t seconds) {
    std::array<char, http::date_size> text;
    http::render_date(seconds, text);
    return {text.data(), text.size()};
}

/// Sends a part of something that can be read from any offset.
class SeekableSource final : public http::Source {
   public:
    SeekableSource(std::unique_ptr<Seekable> content, http::ByteRange range) noexcept
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
    http::ByteRange range_;
    std::uint64_t left_;
};

/// Makes the whole of a content, or one range.
class OnePart final : public detail::Producer {
   public:
    OnePart(std::unique_ptr<detail::RangeProducer> producer, ByteRange range) noexcept
        : producer_{std::move(producer)}, range_{range} {}
    std::optional<Task<>> start(std::shared_ptr<detail::Outflow> outflow) override {
        return producer_->start(Stream{std::move(outflow)}, range_);
    }

   private:
    std::unique_ptr<detail::RangeProducer> producer_;
    ByteRange range_;
};

/// The response to a request for several ranges.
enum class Several : bool { as_parts, as_whole };

/// A response, and the ranges of the resource that it sends.
struct Choice {
    Response response;
    RequestedRanges ranges{};  // none: the response is complete

    bool has_content() const noexcept { return ranges.count == 1; }
    bool has_parts() const noexcept { return ranges.count > 1; }
    http::ByteRange range() const noexcept { return ranges.ranges[0]; }
};

Choice whole_of(std::uint64_t size) {
    Choice choice{Response{Status::ok}};
    choice.ranges.count = 1;
    choice.ranges.ranges[0] = {0, size};
    return choice;
}

/// Evaluates the Range field alone.
Choice chosen_part(const Call& call, const Validators& validators, std::uint64_t size,
                   Several several) {
    using Kind = RequestedRanges::Kind;
    const auto asked = call.request().field(http::FieldName::range);
    if (!asked || call.method() != http::Method::get ||
        !http::range_is_current(call.request(), view_of(validators), unix_seconds()))
        return whole_of(size);
    const RequestedRanges ranges = http::requested_ranges(*asked, size);
    const bool is_unwanted = ranges.count > 1 && several == Several::as_whole;
    if (ranges.kind == Kind::ignored || is_unwanted) return whole_of(size);
    if (ranges.kind == Kind::satisfiable) return {Response{Status::partial_content}, ranges};
    return {detail::refusal_answer(call, Status::range_not_satisfiable)
                .add("Content-Range", "bytes */" + std::to_string(size))};
}

Choice choose(const Call& call, std::string_view media_type, const Validators& validators,
              std::uint64_t size, Several several = Several::as_parts) {
    if (auto unmet = unmet_condition(call, validators)) return {std::move(*unmet)};
    Choice choice = chosen_part(call, validators, size, several);
    if (choice.ranges.count == 0) return choice;
    choice.response.add("Accept-Ranges", "bytes");
    add_validators(choice.response, validators);
    if (choice.has_content()) choice.response.add("Content-Type", media_type);
    if (choice.has_content() && choice.response.status() == Status::partial_content)
        choice.response.add("Content-Range", http::content_range(choice.range(), size));
    return choice;
}

/// A response with several ranges. `whole` is the source of the bytes.
Response parts(Choice&& choice, std::string_view media_type, http::MultipartRanges::Whole whole) {
    whole.content_type = media_type;
    whole.boundary = random_boundary();
    auto source = std::make_unique<http::MultipartRanges>(std::move(whole), choice.ranges.all());
    choice.response.add("Content-Type", source->content_type()).content(std::move(source));
    return std::move(choice.response);
}

}  // namespace

std::optional<Response> unmet_condition(const Call& call, const Validators& validators) {
    switch (http::evaluate_preconditions(call.request(), view_of(validators), unix_seconds())) {
        case http::Verdict::proceed: return std::nullopt;
        case http::Verdict::precondition_failed: break;
        case http::Verdict::not_modified:
            if (!http::is_get_or_head(call.method())) break;  // RFC 9110 13.1.2
            Response response{Status::not_modified};
            add_validators(response, validators);
            return response;
    }
    return detail::refusal_answer(call, Status::precondition_failed);
}

void add_validators(Response& response, const Validators& validators) {
    if (!validators.entity_tag.empty()) response.add("ETag", validators.entity_tag);
    if (validators.last_modified) response.add("Last-Modified", date_of(*validators.last_modified));
}

Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::string content) {
    Choice choice = choose(call, media_type, validators, content.size());
    if (choice.has_parts()) {
        const auto owner = std::make_shared<const std::string>(std::move(content));
        return parts(std::move(choice), media_type,
                     {.body = *owner, .size = owner->size(), .owner = owner});
    }
    const http::ByteRange range = choice.range();
    if (choice.has_content() && range.size == content.size())
        choice.response.content(std::move(content));
    else if (choice.has_content())
        choice.response.content(content.substr(range.first, range.size));
    return std::move(choice.response);
}

Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::unique_ptr<Seekable> content) {
    Choice choice = choose(call, media_type, validators, content->size());
    if (choice.has_parts()) {
        const std::shared_ptr<Seekable> owner{std::move(content)};
        return parts(std::move(choice), media_type,
                     {.read = [owner](std::uint64_t offset,
                                      std::span<char> into) { return owner->read(offset, into); },
                      .size = owner->size()});
    }
    if (choice.has_content())
        choice.response.content(
            std::make_unique<SeekableSource>(std::move(content), choice.range()));
    return std::move(choice.response);
}

Response detail::resource_of(const Call& call, std::string_view media_type,
                             const Validators& validators, std::uint64_t size,
                             std::unique_ptr<RangeProducer> producer) {
    Choice choice = choose(call, media_type, validators, size, Several::as_whole);
    if (!choice.has_content()) return std::move(choice.response);
    const ByteRange range{choice.range().first, choice.range().size};
    Response content =
        stream_of(call, media_type, std::make_unique<OnePart>(std::move(producer), range),
                  {.size = range.size}, nullptr);
    choice.response.content() = std::move(content.content());
    return std::move(choice.response);
}

Response resource_file(const Call& call, std::string_view media_type, const std::string& path) {
    auto opened = OpenFile::open(path);
    if (!opened) return detail::refusal_answer(call, Status::not_found);
    const Validators validators{.entity_tag = opened->entity_tag(),
                                .last_modified = opened->modified()};
    Choice choice = choose(call, media_type, validators, opened->size());
    if (choice.has_parts())
        return parts(std::move(choice), media_type,
                     {.fd = opened->fd, .size = opened->size(), .owner = opened});
    if (choice.has_content())
        choice.response
            .content(http::FileRange{
                .fd = opened->fd, .offset = choice.range().first, .size = choice.range().size})
            .retain(std::move(opened));
    return std::move(choice.response);
}

}  // namespace weir::web

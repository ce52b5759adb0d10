#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/web/call.h"
#include "weir/web/response.h"
#include "weir/web/stream.h"

namespace weir::web {

/// The fields that distinguish one state of a resource from another (RFC 9110 8.8).
struct Validators {
    /// With its quotes: "\"v7\""; a weak one begins with W/ (RFC 9110 8.8.1). Empty: none.
    std::string entity_tag{};
    std::optional<std::int64_t> last_modified{};  // Unix seconds
};

/// Evaluates the conditions of a request (If-Match, If-None-Match and so on). The result is a 304
/// or a 412 if the method must not be carried out; null otherwise. Call it before the response to a
/// GET is made, or before a PUT changes anything.
std::optional<Response> unmet_condition(const Call& call, const Validators& validators);

/// Adds ETag and Last-Modified.
void add_validators(Response& response, const Validators& validators);

/// Content that can be read from any offset. The connection's thread reads it while it sends;
/// read() must not block for long.
class Seekable {
   public:
    virtual ~Seekable() = default;
    /// In bytes; must not change.
    virtual std::uint64_t size() const = 0;
    /// Reads up to `into.size()` bytes from `offset` on, at least one, and returns their number. 0
    /// is a failure: it ends the connection, so that the peer sees that the content is incomplete.
    virtual std::size_t read(std::uint64_t offset, std::span<char> into) = 0;
};

/// A part of a content, in bytes.
struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t size = 0;  // > 0
};

namespace detail {

/// Makes any part of a content.
class RangeProducer {
   public:
    virtual ~RangeProducer() = default;
    virtual Task<> start(Stream out, ByteRange range) = 0;
};
template <typename Give>
struct RangeProducerOf final : RangeProducer {
    explicit RangeProducerOf(Give&& own) : give{std::move(own)} {}
    Task<> start(Stream out, ByteRange range) override { return give(std::move(out), range); }
    Give give;
};

Response resource_of(const Call& call, std::string_view media_type, const Validators& validators,
                     std::uint64_t size, std::unique_ptr<RangeProducer> producer);

}  // namespace detail

/// Responds to GET or HEAD for a resource: conditions, ranges (206 or 416; several ranges as
/// multipart/byteranges, up to 16 that do not overlap, or 256 that ascend, else the whole),
/// validators and Accept-Ranges.
Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::string content);
Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::unique_ptr<Seekable> content);
/// The same for `size` bytes that a coroutine has to wait for. `give` is `Task<>(Stream,
/// ByteRange)` and writes the bytes of the range; see stream(). A request for several ranges gets
/// the whole content (RFC 9110 14.2).
template <typename Give>
Response resource(const Call& call, std::string_view media_type, const Validators& validators,
                  std::uint64_t size, Give give) {
    static_assert(std::is_invocable_r_v<Task<>, Give&, Stream, ByteRange>,
                  "what makes the content is [](Stream out, ByteRange range) -> Task<>");
    return detail::resource_of(call, media_type, validators, size,
                               std::make_unique<detail::RangeProducerOf<Give>>(std::move(give)));
}
/// The same for a file, with validators from its size and its time; a time of 0 or 1 is ignored,
/// because builds set it. For 20 ms after a change the tag is weak, and for one response. 404 as
/// file().
Response resource_file(const Call& call, std::string_view media_type, const std::string& path);

/// The best of `offers` for the Accept field (RFC 9110 12.5.1), as "application/json" and
/// "text/html": the first one among equals, and without the field. Empty if none is acceptable
/// (respond with 406 then, or send any).
std::string_view accepted(const Call& call, std::initializer_list<std::string_view> offers);
/// The best of `offers` for Accept-Language, as "en" and "de-CH". A range matches an offer that
/// starts with it (RFC 4647 3.3.1): "de" gets "de-CH". A range that matches none gets the longest
/// offer that it starts with (RFC 4647 3.4): "en-US" gets "en". The first offer if no other one
/// fits.
std::string_view accepted_language(const Call& call,
                                   std::initializer_list<std::string_view> offers);

}  // namespace weir::web

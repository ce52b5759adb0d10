#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/head/framing.h"
#include "http/head/head_parser.h"
#include "weir/base/now.h"
#include "weir/http/request.h"

namespace weir::http {

/// A request while it is read and handled: what handlers see of it, the parser that fills its
/// index, and what its head means. On the hot path there is one per thread, used again and again; a
/// request that must wait takes its slot along, and the thread gets a new one.
class RequestSlot {
   public:
    RequestSlot();

    HeadParser parser;
    Framing framing;
    Instant began{};  // when the first byte came

    /// `bytes` start with the head's first byte, and must stay there until the next call or own().
    HeadParser::Result parse(std::string_view bytes, const Limits& limits) {
        request_->base_ = bytes.data();
        return parser.parse(bytes, request_->index_, limits);
    }
    /// After `complete`: reads what the head means; framing.fault says whether it is acceptable.
    void interpret(Origin& origin, RequestId id) {
        Request& request = *request_;
        framing = framing_of(request.base_, request.index_, last_host_);
        request.origin_ = &origin;
        request.id_ = id;
        request.prefix_bytes_ = 0;
        request.content_pending_ = framing.content != Framing::Content::none;
        if (framing.content == Framing::Content::sized)
            request.content_length_ = framing.content_length;
    }

    /// The same for HTTP/2, which marks the end of content itself, whatever its fields say.
    void interpret_framed(Origin& origin, RequestId id, bool has_content) {
        interpret(origin, id);
        request_->major_version_ = 2;
        request_->index_.minor_version = 0;
        request_->content_pending_ = has_content;
        framing.expects_continue = has_content && request_->has(FieldName::expect);
        if (has_content && framing.content == Framing::Content::none)
            framing.content = Framing::Content::chunked;
    }

    const Request& request() const noexcept { return *request_; }
    std::uint32_t head_size() const noexcept { return request_->index_.size; }

    /// Moves the head into the request's own memory; does nothing where it is there already.
    void own() { request_->own(); }
    std::string& content() noexcept { return request_->content_; }
    /// The content was read: the handler is called again with it.
    void content_complete(std::string trailers);

    /// The memory that it has, itself included.
    std::size_t bytes() const noexcept;

    /// Ready for the next request; a request that somebody still shares is left to them.
    void reset() {
        parser.reset();
        // Whether the others have let go of it by now is not asked: use_count() is not ordered with
        // what they read before.
        if (request_->traces_ != 0 || framing.content != Framing::Content::none) return renew();
        request_->index_.clear();
        request_->base_ = nullptr;
    }

   private:
    void renew();

    std::shared_ptr<Request> request_;
    LastHost last_host_;
};

}  // namespace weir::http

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/head/framing.h"
#include "http/head/head_parser.h"
#include "weir/base/now.h"
#include "weir/http/request.h"

namespace weir::http {

/// A request while it is read and handled: the request that handlers see, the parser that fills its
/// index, and the framing that its head announces. On the hot path each thread has one slot for all
/// its requests. A request that must wait takes its slot along, and the thread gets a new one.
class RequestSlot {
   public:
    RequestSlot();

    HeadParser parser;
    Framing framing;
    Instant began{};  // when the first byte arrived

    /// `bytes` start with the head's first byte, and are borrowed until the next call or own().
    HeadParser::Result parse(std::string_view bytes, const Limits& limits) {
        request_->base_ = bytes.data();
        return parser.parse(bytes, request_->index_, limits);
    }
    /// Interprets the head. Call it once parse() has returned `complete`. `framing.fault` says if
    /// the head is acceptable.
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

    /// Does the same for HTTP/2, whose frames mark the end of content, whatever the fields say.
    void interpret_framed(Origin& origin, RequestId id, bool has_content) {
        interpret(origin, id);
        request_->major_version_ = 2;
        request_->index_.minor_version = 0;
        request_->content_pending_ = has_content;
        if (has_content && framing.content == Framing::Content::none)
            framing.content = Framing::Content::chunked;
    }

    const Request& request() const noexcept { return *request_; }
    std::uint32_t head_size() const noexcept { return request_->index_.size; }

    /// Copies the head into the request's own memory; does nothing if it is there already.
    void own() { request_->own(); }
    std::string& content() noexcept { return request_->content_; }
    /// Call it once the content was read, before the handler is called again.
    void content_complete(std::string trailers);

    /// The memory of the slot in bytes, itself included.
    std::size_t bytes() const noexcept;

    /// Prepares the slot for the next request. A request that was shared stays with its other
    /// owners.
    void reset() {
        parser.reset();
        // use_count() can't tell that the other owners have finished: it is not ordered with their
        // reads.
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

#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/client/exchange.h"
#include "weir/http/connection.h"

namespace weir::http::client {

/// The bytes of a request that are being sent: three parts, which stay in place until all of them
/// are sent. Content is taken from the exchange as the socket takes it.
class RequestOut {
   public:
    /// Begins with the head of a request.
    void begin(const Outgoing& request) {
        clear();
        before_ = request.head;
        framing_ = request.content;
        has_ended_ = framing_ == Outgoing::Content::none;
    }
    /// From here on, content has no framing, until its end.
    void begin_tunnel() noexcept {
        framing_ = Outgoing::Content::sized;
        has_ended_ = false;
    }
    /// True if content can be added: all parts are sent.
    bool takes_content() const noexcept { return !has_ended_ && is_sent(); }
    /// Takes what the exchange has, and the end if `ended`.
    void take(Exchange& exchange, bool ended) {
        clear();
        exchange.take_content(content_);
        has_ended_ = ended;
        if (framing_ == Outgoing::Content::chunked) frame();
    }
    bool has_ended() const noexcept { return has_ended_; }
    bool is_sent() const noexcept { return sent_ == size(); }
    /// Nothing of the parts has left.
    bool is_untouched() const noexcept { return sent_ == 0; }

    Transmission offer() const noexcept {
        Transmission out;
        std::size_t skipped = sent_;
        std::size_t count = 0;
        for (const std::string* part : {&before_, &content_, &after_}) {
            const std::size_t skip = std::min(skipped, part->size());
            skipped -= skip;
            if (skip < part->size()) out.parts[count++] = std::string_view{*part}.substr(skip);
        }
        return out;
    }
    void sent(std::uint64_t bytes) noexcept { sent_ += bytes; }

   private:
    std::size_t size() const noexcept { return before_.size() + content_.size() + after_.size(); }
    void clear() noexcept {
        before_.clear();
        content_.clear();
        after_.clear();
        sent_ = 0;
    }
    /// RFC 9112 7.1
    void frame() {
        if (!content_.empty()) {
            std::array<char, 18> digits;
            const auto end = std::to_chars(digits.begin(), digits.end(), content_.size(), 16).ptr;
            before_.append(digits.begin(), end).append("\r\n");
            after_ = "\r\n";
        }
        if (has_ended_) after_ += "0\r\n\r\n";
    }

    std::string before_;   // the head, and the size line of a chunk
    std::string content_;  // of the user
    std::string after_;    // the end of a chunk, and of the content
    std::size_t sent_ = 0;
    Outgoing::Content framing_ = Outgoing::Content::none;
    bool has_ended_ = true;  // nothing follows the parts
};

}  // namespace weir::http::client

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/frames/protocol.h"
#include "http/hpack/decoder.h"
#include "http/request_slot.h"
#include "weir/http/limits.h"

namespace weir::http::http2 {

/// Writes the fields of a request, in the order of their arrival (RFC 9113 8.3.1), as the head of
/// the same request in HTTP/1.1. The parser of HTTP/1.1 then reads this head: so both protocols
/// have one grammar, the same limits, and the same requests.
///
/// A field cannot add lines to the head: if it is more than one line, the request is malformed.
class FieldSection final : public hpack::FieldVisitor {
   public:
    enum class Result : std::uint8_t {
        good,
        fault,      // see RequestSlot::framing.fault: the peer gets a status
        malformed,  // RFC 9113 8.1.1: the stream is reset
    };

    /// `head` gets the head. The stream owns it, and the request is a view of it.
    /// `pseudo` gets the values of pseudo-header fields.
    FieldSection(std::string& head, std::string& pseudo, const Limits& limits) noexcept
        : head_{head}, pseudo_{pseudo}, limits_{limits} {}

    void field(std::string_view name, std::string_view value, bool name_is_token) override;

    /// True for an extended CONNECT (RFC 8441): the bytes behind the head belong to another
    /// protocol. The written head has GET and Upgrade, as in HTTP/1.1.
    bool is_extended_connect() const noexcept { return has(protocol); }
    /// Parses and interprets the head. Call it after the last field. `ends`: no content follows.
    Result finish(RequestSlot& slot, Origin& origin, StreamId stream, bool ends);
    /// From the Priority field, or the default.
    Priority priority() const noexcept { return priority_; }

   private:
    enum Pseudo : std::uint8_t { method, scheme, authority, path, protocol, count };

    bool pseudo_field(std::string_view name, std::string_view value);
    bool regular_field(std::string_view name, std::string_view value, bool name_is_token);
    bool begin_head();
    void line(std::string_view name, std::string_view value);
    std::string_view pseudo(Pseudo which) const noexcept {
        return std::string_view{pseudo_}.substr(begins_[which], sizes_[which]);
    }
    bool has(Pseudo which) const noexcept { return (seen_ >> which & 1u) != 0; }
    /// The method in the written head.
    std::string_view sent_method() const noexcept {
        return has(protocol) ? std::string_view{"GET"} : pseudo(method);
    }
    bool is_target_good() const noexcept;
    bool matches_fields(const RequestSlot& slot) const noexcept;
    Result fail(RequestSlot& slot, Fault fault) const noexcept;

    std::string& head_;
    std::string& pseudo_;  // the values, one behind the other
    const Limits& limits_;
    std::string cookies_;  // RFC 9113 8.2.3: the client may send them in several fields
    std::uint32_t begins_[count]{};
    std::uint32_t sizes_[count]{};
    std::size_t lines_ = 0;  // field lines in head_
    unsigned seen_ = 0;      // bit(Pseudo)
    Priority priority_;
    bool head_begun_ = false;
    bool has_host_ = false;
    bool malformed_ = false;
    bool too_long_ = false;
};

/// The fields behind a request's content, as lines (RFC 9113 8.1).
class TrailerSection final : public hpack::FieldVisitor {
   public:
    explicit TrailerSection(const Limits& limits) noexcept : limits_{limits} {}

    void field(std::string_view name, std::string_view value, bool name_is_token) override;

    bool is_malformed() const noexcept { return malformed_; }
    bool is_too_long() const noexcept { return too_long_; }
    std::string take_lines() noexcept { return std::move(lines_); }

   private:
    const Limits& limits_;
    std::string lines_;
    std::size_t count_ = 0;
    bool malformed_ = false;
    bool too_long_ = false;
};

/// Discards the fields of a refused request. The decoder must still read them, to update its table.
class NoSection final : public hpack::FieldVisitor {
   public:
    void field(std::string_view, std::string_view, bool) override {}
};

}  // namespace weir::http::http2

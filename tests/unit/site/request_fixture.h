#pragma once

#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/request_slot.h"
#include "weir/http/field_name.h"
#include "weir/http/handler.h"

namespace weir::site {

/// Nothing wakes what goes on: a test resumes it.
class TestPostbox final : public http::Postbox {
   public:
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override {}
};

/// A request from the parser, as an engine would get it.
class TestRequest final : public http::Origin {
   public:
    /// `line`: "GET /path"; `fields`: field lines without CRLF.
    explicit TestRequest(std::string_view line, const std::vector<std::string>& fields = {},
                         std::string_view version = "HTTP/1.1")
        : head_{line} {
        head_.append(" ").append(version).append("\r\nHost: www.example.org\r\n");
        for (const std::string& field : fields) head_.append(field).append("\r\n");
        head_ += "\r\n";
        if (slot_.parse(head_, limits_) != http::HeadParser::Result::complete)
            throw std::invalid_argument{"no request head: " + head_};
        slot_.interpret(*this, 1);
    }

    const http::Request& get() const noexcept { return slot_.request(); }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return postbox_; }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    std::shared_ptr<TestPostbox> postbox_ = std::make_shared<TestPostbox>();
    http::Limits limits_;
    std::string head_;
    http::RequestSlot slot_;
};

/// An answer with its whole content.
struct TestAnswer {
    unsigned status = 0;
    std::string fields;  // field lines
    std::string body;
    bool announced_whole = true;  // the source gave as much as its size() says
    bool from_file = false;       // all or part of it came from a file

    std::optional<std::string> field(std::string_view name) const {
        std::string_view rest = fields;
        while (!rest.empty()) {
            const std::size_t end = rest.find("\r\n");
            const std::string_view line = rest.substr(0, end);
            const std::size_t colon = line.find(':');
            if (http::equals_ignoring_case(line.substr(0, colon), name))
                return std::string{line.substr(colon + 2)};
            rest.remove_prefix(end + 2);
        }
        return std::nullopt;
    }
};

inline std::string read_range(const http::FileRange& range) {
    std::string bytes(range.size, '\0');
    const auto size =
        ::pread(range.fd, bytes.data(), bytes.size(), static_cast<off_t>(range.offset));
    bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return bytes;
}

/// Pulls in pieces of `piece` bytes.
inline void read_source(http::Source& source, TestAnswer& answer, std::size_t piece = 7) {
    for (;;) {
        std::string room(piece, '\0');
        const auto pulled = source.pull(room);
        if (const auto* const ready = std::get_if<http::Source::Ready>(&pulled)) {
            answer.body.append(room, 0, ready->size);
        } else if (const auto* const file = std::get_if<http::Source::File>(&pulled)) {
            answer.from_file = true;
            answer.body += read_range(file->range);
        } else {
            answer.announced_whole = source.size() == answer.body.size();
            return;
        }
    }
}

/// Resumes what goes on, until it has an answer.
inline TestAnswer read_reply(http::Reply&& reply) {
    if (auto* const later = std::get_if<http::Later>(&reply)) {
        const auto continuation = std::move(later->continuation);
        while (std::holds_alternative<http::Later>(reply)) reply = continuation->resume();
    }
    auto& response = std::get<http::Response>(reply);
    TestAnswer answer;
    answer.status = http::code(response.status());
    answer.fields.append(response.own_fields()).append(response.prepared_fields());
    if (const auto* const view = std::get_if<std::string_view>(&response.content())) {
        answer.body = *view;
    } else if (const auto* const own = std::get_if<std::string>(&response.content())) {
        answer.body = *own;
    } else if (const auto* const range = std::get_if<http::FileRange>(&response.content())) {
        answer.from_file = true;
        answer.body = read_range(*range);
    } else if (auto* const source =
                   std::get_if<std::unique_ptr<http::Source>>(&response.content())) {
        read_source(**source, answer);
    }
    return answer;
}

inline TestAnswer ask(http::Handler& handler, std::string_view line,
                      const std::vector<std::string>& fields = {}) {
    const TestRequest request{line, fields};
    return read_reply(handler.handle(request.get()));
}

}  // namespace weir::site

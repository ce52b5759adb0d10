#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/log/line/access_line.h"

namespace weir::server {

/// A field of an own format: {status}.
struct LogField {
    /// If it ends with ":", the name of a field of the request follows: {header:accept}.
    std::string_view name;
    /// Returns the value, which is not escaped yet; empty if there is none. `header` is the name of
    /// the request's field. The value may lie in `memory`.
    std::string_view (*value)(const AccessEntry& entry, std::string_view header,
                              std::string& memory);
    bool keeps_spaces = false;  // of a value that no request chooses
};

/// All fields of own formats, for messages, the help and the documents.
std::span<const LogField> log_fields() noexcept;
/// The name as a user writes it: "header:NAME".
std::string written_name(const LogField& field);

/// The reason why a text is no format.
struct LogFormatFault {
    std::string sentence;
    std::string unknown{};  // the name of the field that does not exist
};

/// A format of the user: a text with fields in braces. A request cannot forge a line, nor a field
/// in quotes: the values are escaped as in the combined format. A value that does not stand in
/// quotes is one word. A field without a value is "-".
class LogFormat {
   public:
    /// "{{" and "}}" are braces of the text.
    static std::expected<LogFormat, LogFormatFault> parse(std::string_view text);

    /// True if the field with this name is in the text.
    bool has(std::string_view name) const;
    /// Appends a line.
    void append(std::string& out, const AccessEntry& entry) const;

   private:
    struct Part {
        const LogField* field = nullptr;  // null: `text` stands in each line
        std::string text{};               // or the name of the request's field
        bool is_quoted = false;
    };

    explicit LogFormat(std::vector<Part> parts) : parts_{std::move(parts)} {}

    std::vector<Part> parts_;
};

/// Appends a line that replaces `lines` dropped lines of an own format.
void append_own_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds);

}  // namespace weir::server

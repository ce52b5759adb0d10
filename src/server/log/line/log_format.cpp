#include "server/log/line/log_format.h"

#include <algorithm>
#include <utility>

#include "http/syntax/token.h"
#include "server/log/line/log_escape.h"
#include "server/log/line/log_time.h"
#include "weir/http/request.h"

namespace weir::server {
namespace {

using std::string_view;

constexpr LogField fields[] = {
    {"time", [](const AccessEntry& entry, string_view,
                std::string&) { return internet_time(entry.unix_seconds); }},
    {"precise_time",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         append_precise_time(memory, entry.unix_seconds, entry.microseconds);
         return memory;
     }},
    {"combined_time",
     [](const AccessEntry& entry, string_view, std::string&) {
         return combined_time(entry.unix_seconds);
     },
     true},
    {"unix_time",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         return memory = std::to_string(entry.unix_seconds);
     }},
    {"remote", [](const AccessEntry& entry, string_view, std::string&) { return entry.remote; }},
    {"user", [](const AccessEntry& entry, string_view, std::string&) { return entry.user; }},
    {"method", [](const AccessEntry& entry, string_view, std::string&) { return entry.method; }},
    {"target", [](const AccessEntry& entry, string_view, std::string&) { return entry.target; }},
    {"path", [](const AccessEntry& entry, string_view,
                std::string&) { return entry.target.substr(0, entry.target.find('?')); }},
    {"query",
     [](const AccessEntry& entry, string_view, std::string&) {
         const auto mark = entry.target.find('?');
         return mark == entry.target.npos ? string_view{} : entry.target.substr(mark + 1);
     }},
    {"protocol",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         if (entry.readable) append_protocol(memory, entry);
         return memory;
     }},
    {"host", [](const AccessEntry& entry, string_view, std::string&) { return entry.authority; }},
    {"referer", [](const AccessEntry& entry, string_view, std::string&) { return entry.referer; }},
    {"user_agent",
     [](const AccessEntry& entry, string_view, std::string&) { return entry.user_agent; }},
    {"header:",
     [](const AccessEntry& entry, string_view header, std::string&) {
         return entry.request ? entry.request->field(header).value_or("") : string_view{};
     }},
    {"request_id",
     [](const AccessEntry& entry, string_view, std::string&) { return entry.request_id; }},
    {"trace_id",
     [](const AccessEntry& entry, string_view, std::string&) { return trace_id_of(entry); }},
    {"status",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         return memory = std::to_string(http::code(entry.status));
     }},
    {"bytes",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         return memory = std::to_string(entry.content_bytes);
     }},
    {"duration_ms",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         append_milliseconds(memory, entry.duration);
         return memory;
     }},
    {"outcome",
     [](const AccessEntry& entry, string_view, std::string&) { return to_text(entry.outcome); }},
    {"tls", [](const AccessEntry& entry, string_view, std::string&) { return entry.tls; }},
    {"client",
     [](const AccessEntry& entry, string_view, std::string&) { return entry.client_subject; }},
    {"client_fingerprint",
     [](const AccessEntry& entry, string_view, std::string&) { return entry.client_fingerprint; }},
    {"sample",
     [](const AccessEntry& entry, string_view, std::string& memory) -> string_view {
         return memory = std::to_string(entry.sample);
     }},
};

/// Returns the field of "status" or "header:accept"; null if there is none.
const LogField* find(string_view name) {
    const auto found = std::ranges::find_if(fields, [&](const LogField& field) {
        if (!field.name.ends_with(':')) return name == field.name;
        return name.starts_with(field.name) && http::is_token(name.substr(field.name.size()));
    });
    return found == std::end(fields) ? nullptr : found;
}

/// A space would end a word.
void append_word(std::string& out, string_view text) {
    for (auto space = text.find(' '); space != text.npos; space = text.find(' ')) {
        append_escaped(out, text.substr(0, space), Escape::hexadecimal);
        out += "\\x20";
        text.remove_prefix(space + 1);
    }
    append_escaped(out, text, Escape::hexadecimal);
}

LogFormatFault fault(std::string sentence) { return {.sentence = std::move(sentence)}; }

}  // namespace

std::span<const LogField> log_fields() noexcept { return fields; }

std::string written_name(const LogField& field) {
    return std::string{field.name} + (field.name.ends_with(':') ? "NAME" : "");
}

std::expected<LogFormat, LogFormatFault> LogFormat::parse(string_view text) {
    std::vector<Part> parts(1);
    bool is_quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool is_twice = text.substr(at + 1).starts_with(c);
        if ((c < ' ' && c != '\t') || c == '\x7f')
            return std::unexpected{fault("a control character cannot stand in a line")};
        if (c == '}' && !is_twice) return std::unexpected{fault("a } has no {; }} is a brace")};
        if (c != '{' || is_twice) {
            if (c == '"') is_quoted = !is_quoted;
            if (c == '{' || c == '}') ++at;
            parts.back().text += c;
            continue;
        }
        const auto end = text.find('}', at);
        if (end == text.npos) return std::unexpected{fault("a { has no }; {{ is a brace")};
        const auto name = text.substr(at + 1, end - at - 1);
        const LogField* const field = find(name);
        if (!field)
            return std::unexpected{
                LogFormatFault{.sentence = "there is no field {" + std::string{name} + "}",
                               .unknown = std::string{name}}};
        const auto header = field->name.ends_with(':') ? name.substr(field->name.size()) : "";
        parts.push_back({.field = field, .text = std::string{header}, .is_quoted = is_quoted});
        parts.emplace_back();
        at = end;
    }
    if (parts.size() == 1) return std::unexpected{fault("no field such as {status} is in it")};
    if (is_quoted) return std::unexpected{fault("a quote has no end")};
    return LogFormat{std::move(parts)};
}

bool LogFormat::has(string_view name) const {
    return std::ranges::any_of(
        parts_, [&](const Part& part) { return part.field && part.field->name == name; });
}

void LogFormat::append(std::string& out, const AccessEntry& entry) const {
    std::string memory;  // of numbers, which fit into the object itself
    for (const Part& part : parts_) {
        if (!part.field) {
            out += part.text;
            continue;
        }
        memory.clear();
        const string_view value = part.field->value(entry, part.text, memory);
        if (value.empty())
            out += '-';
        else if (part.is_quoted || part.field->keeps_spaces)
            append_escaped(out, value, Escape::hexadecimal);
        else
            append_word(out, value);
    }
    out += '\n';
}

void append_own_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds) {
    out += internet_time(unix_seconds);
    out += " weir: " + std::to_string(lines) + " lines were dropped\n";
}

}  // namespace weir::server

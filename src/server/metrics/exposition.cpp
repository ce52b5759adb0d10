#include "server/metrics/exposition.h"

#include <array>
#include <charconv>

namespace weir::server {
namespace {

/// Backslashes, quotes and line feeds are the characters that a value can't have as they are.
void append_label_value(std::string& out, std::string_view value) {
    for (const char each : value) {
        if (each == '\n') {
            out += "\\n";
            continue;
        }
        if (each == '\\' || each == '"') out += '\\';
        out += each;
    }
}

std::string decimal(double value) {
    std::array<char, 400> text;  // the largest double has 309 digits
    return {
        text.data(),
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed).ptr};
}

}  // namespace

void Exposition::family(std::string_view name, std::string_view type, std::string_view unit,
                        std::string_view help) {
    const bool is_open = format_ == Metrics::Format::openmetrics;
    const bool has_suffix = type == "counter" && !is_open;
    name_ = name;
    const std::string named = std::string{name} + (has_suffix ? "_total" : "");
    (((out_ += "# HELP ") += named) += ' ') += help;
    (((out_ += "\n# TYPE ") += named) += ' ') += type == "info" && !is_open ? "gauge" : type;
    if (is_open && !unit.empty()) (((out_ += "\n# UNIT ") += named) += ' ') += unit;
    out_ += '\n';
}

void Exposition::begin_sample(std::string_view suffix, Labels labels) {
    (out_ += name_) += suffix;
    char before = '{';
    for (const auto& [label, value] : labels) {
        (((out_ += before) += label) += "=\"");
        append_label_value(out_, value);
        out_ += '"';
        before = ',';
    }
    out_ += labels.size() == 0 ? " " : "} ";
}

void Exposition::sample(std::string_view suffix, Labels labels, std::uint64_t value) {
    begin_sample(suffix, labels);
    (out_ += std::to_string(value)) += '\n';
}

void Exposition::sample(std::string_view suffix, Labels labels, double value) {
    begin_sample(suffix, labels);
    (out_ += decimal(value)) += '\n';
}

std::string Exposition::end() && {
    if (format_ == Metrics::Format::openmetrics) out_ += "# EOF\n";
    return std::move(out_);
}

std::string seconds_text(std::uint64_t microseconds) {
    return decimal(static_cast<double>(microseconds) / 1e6);
}

}  // namespace weir::server

#include "server/metrics/exposition.h"

#include <charconv>
#include <utility>

namespace weir::server {
namespace {

template <typename Number>
std::string shown(Number number) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return {digits.data(), end};
}

/// OpenMetrics wants one way to write a bound: "0.005", "1.0".
std::string shown_bound(double bound) {
    std::string text = shown(bound);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

void append_escaped_value(std::string& out, std::string_view value) {
    for (const char byte : value) {
        if (byte == '\\' || byte == '"') out += '\\';
        if (byte == '\n')
            out += "\\n";
        else
            out += byte;
    }
}

void append_label(std::string& out, const Label& label) {
    if (out.back() != '{') out += ',';
    (out += label.name) += "=\"";
    append_escaped_value(out, label.value);
    out += '"';
}

}  // namespace

std::string_view Exposition::media_type(Format format) noexcept {
    return format == Format::openmetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

/// The older format has a counter's suffix in the name of the family, knows no units, and calls an
/// info a gauge.
void Exposition::begin(std::string_view name, std::string_view type, std::string_view help,
                       std::string_view unit) {
    name_ = name;
    std::string family{name};
    if (format_ == Format::prometheus) {
        family += suffix_;
        unit = {};
        if (type == "info") type = "gauge";
    }
    ((((text_ += "# TYPE ") += family) += ' ') += type) += '\n';
    if (!unit.empty()) ((((text_ += "# UNIT ") += family) += ' ') += unit) += '\n';
    ((((text_ += "# HELP ") += family) += ' ') += help) += '\n';
}

void Exposition::counter(std::string_view name, std::string_view help, std::string_view unit) {
    suffix_ = "_total";
    begin(name, "counter", help, unit);
}

void Exposition::gauge(std::string_view name, std::string_view help, std::string_view unit) {
    suffix_ = {};
    begin(name, "gauge", help, unit);
}

void Exposition::histogram(std::string_view name, std::string_view help, std::string_view unit) {
    suffix_ = {};
    begin(name, "histogram", help, unit);
}

void Exposition::info(std::string_view name, std::string_view help, Labels labels) {
    suffix_ = "_info";
    begin(name, "info", help, {});
    value(std::uint64_t{1}, labels);
}

void Exposition::line(std::string_view suffix, Labels labels, Label more, std::string_view value) {
    (text_ += name_) += suffix;
    if (labels.size() != 0 || !more.name.empty()) {
        text_ += '{';
        for (const Label& label : labels) append_label(text_, label);
        if (!more.name.empty()) append_label(text_, more);
        text_ += '}';
    }
    ((text_ += ' ') += value) += '\n';
}

void Exposition::value(std::uint64_t value, Labels labels) {
    line(suffix_, labels, {}, shown(value));
}

void Exposition::value(double value, Labels labels) { line(suffix_, labels, {}, shown(value)); }

void Exposition::value(const Read& histogram, Labels labels) {
    std::uint64_t count = 0;
    for (std::size_t bucket = 0; bucket < histogram.buckets.size(); ++bucket) {
        count += histogram.buckets[bucket];
        const std::string bound =
            bucket < histogram.bounds.size()
                ? shown_bound(static_cast<double>(histogram.bounds[bucket]) / histogram.divisor)
                : "+Inf";
        line("_bucket", labels, {"le", bound}, shown(count));
    }
    line("_count", labels, {}, shown(count));
    line("_sum", labels, {}, shown(static_cast<double>(histogram.sum) / histogram.divisor));
}

std::string Exposition::finish() {
    if (format_ == Format::openmetrics) text_ += "# EOF\n";
    return std::move(text_);
}

}  // namespace weir::server

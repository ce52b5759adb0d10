#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "server/metrics/counts.h"

namespace weir::server {

struct Label {
    std::string_view name;
    std::string_view value;
};
using Labels = std::initializer_list<Label>;

/// Writes metrics as text: in OpenMetrics 1.0, or in the older format of Prometheus (0.0.4). A family
/// begins with its name, and its samples follow.
class Exposition {
   public:
    enum class Format : std::uint8_t { openmetrics, prometheus };
    explicit Exposition(Format format) : format_{format} {}

    /// `name` has no suffix: "weir_http_requests" of a counter becomes weir_http_requests_total. It
    /// ends with its unit, if there is one: "seconds", "bytes".
    void counter(std::string_view name, std::string_view help, std::string_view unit = {});
    void gauge(std::string_view name, std::string_view help, std::string_view unit = {});
    void histogram(std::string_view name, std::string_view help, std::string_view unit);
    /// A family with one sample, whose labels say everything.
    void info(std::string_view name, std::string_view help, Labels labels);

    void value(std::uint64_t value, Labels labels = {});
    void value(double value, Labels labels = {});

    /// What a Histogram had when it was read.
    struct Read {
        std::span<const std::uint64_t> bounds;
        std::span<const std::uint64_t> buckets;  // one more
        std::uint64_t sum;
        double divisor;  // of bounds and sum: 1000 makes seconds of milliseconds
    };
    void value(const Read& histogram, Labels labels);

    /// The whole text. Call it once, and last.
    std::string finish();
    static std::string_view media_type(Format format) noexcept;

   private:
    void begin(std::string_view name, std::string_view type, std::string_view help,
               std::string_view unit);
    void line(std::string_view suffix, Labels labels, Label more, std::string_view value);

    const Format format_;
    std::string text_;
    std::string name_;         // of the family
    std::string_view suffix_;  // of its samples
};

}  // namespace weir::server

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "weir/server/metrics.h"

namespace weir::server {

/// Writes metrics as text, one family after the other (prometheus.io, "Exposition formats";
/// OpenMetrics 1.0).
class Exposition {
   public:
    using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    explicit Exposition(Metrics::Format format) noexcept : format_{format} {}

    /// Begins a family. `name` of a counter has no suffix, which the samples have: "_total".
    void family(std::string_view name, std::string_view type, std::string_view unit,
                std::string_view help);
    /// A sample of the family: its name and the suffix, "_bucket" for example.
    void sample(std::string_view suffix, Labels labels, std::uint64_t value);
    void sample(std::string_view suffix, Labels labels, double value);
    std::string end() &&;

   private:
    void begin_sample(std::string_view suffix, Labels labels);

    const Metrics::Format format_;
    std::string_view name_;
    std::string out_;
};

/// "0.25": seconds without zeros at the end.
std::string seconds_text(std::uint64_t microseconds);

}  // namespace weir::server

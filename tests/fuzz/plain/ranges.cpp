#include "fuzz/plain/ranges.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/trimmed.h"
#include "fuzz/plain/number.h"
#include "fuzz/plain/path.h"
#include "weir/http/field_name.h"

namespace weir::tests::plain {
namespace {

/// 1*DIGIT. All numbers from 2^64 on are past the end of any file, and equal here.
std::optional<Number> number_of(const std::string& digits) {
    if (digits.empty()) return std::nullopt;
    Number value = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '9') return std::nullopt;
        value = std::min<Number>(value * 10 + (digit - '0'), ~std::uint64_t{0});
    }
    return value;
}

struct Bytes {
    Number first, last;  // none if last < first
};

/// Nothing if it is malformed.
std::optional<Bytes> bytes_of(const std::string& spec, Number size) {
    const std::vector<std::string> ends = split(spec, '-');
    if (ends.size() != 2) return std::nullopt;
    const auto first = number_of(ends[0]);
    const auto last = number_of(ends[1]);
    if ((!first && !ends[0].empty()) || (!last && !ends[1].empty())) return std::nullopt;
    if (!first && !last) return std::nullopt;
    if (!first) return Bytes{std::max<Number>(size - *last, 0), size - 1};
    if (last && *last < *first) return std::nullopt;
    return Bytes{*first, last ? std::min(*last, size - 1) : size - 1};
}

bool share_a_byte(const Bytes& left, const Bytes& right) {
    return left.first <= right.last && right.first <= left.last;
}

}  // namespace

Ranges read_ranges(std::string_view field, std::uint64_t size) {
    const std::size_t equals = field.find('=');
    if (size == 0 || equals == field.npos ||
        !http::equals_ignoring_case(field.substr(0, equals), "bytes"))
        return {};
    std::size_t members = 0;
    bool ascend = true;
    std::vector<Bytes> wanted;
    for (const std::string& piece : split(field.substr(equals + 1), ',')) {
        const std::string spec{trimmed(piece)};
        if (spec.empty()) continue;
        const auto bytes = bytes_of(spec, size);
        if (!bytes || ++members > 256) return {};
        if (bytes->first > bytes->last) continue;  // past the end
        for (const Bytes& other : wanted)
            if (share_a_byte(*bytes, other)) return {};
        ascend = ascend && (wanted.empty() || wanted.back().last < bytes->first);
        wanted.push_back(*bytes);
    }
    Ranges ranges;
    if (members == 0 || (members > 16 && !ascend)) return ranges;
    ranges.kind = wanted.empty() ? RangeKind::unsatisfiable : RangeKind::satisfiable;
    for (const Bytes& bytes : wanted)
        ranges.stretches.emplace_back(bytes.first, bytes.last - bytes.first + 1);
    return ranges;
}

}  // namespace weir::tests::plain

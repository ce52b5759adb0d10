#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli::config {

/// The size limit of a file; a larger one is refused.
inline constexpr std::size_t bytes_max = std::size_t{1} << 20u;
/// The limit on dots outside texts. No key of weir has a dot.
inline constexpr std::size_t dots_max = 1'000;
/// The limit on sites. Each site has a thread and an inotify instance; a user may have 128
/// instances by default.
inline constexpr std::size_t sites_max = 64;

/// A place in a file. Lines and columns count from 1.
struct Place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    auto operator<=>(const Place&) const = default;
};

/// A fault of a file: a sentence without its full stop.
struct Problem {
    Place place;
    std::string text;

    auto operator<=>(const Problem&) const = default;
};

/// One value of a key.
struct Value {
    enum class Kind : std::uint8_t {
        text,
        number,  // an integer, in decimal digits
        flag,    // "true" or "false"
        other,   // a type that no option takes: "a date"
    };
    Kind kind = Kind::text;
    std::string text;
    Place place;
};

/// A key with its values.
struct Entry {
    std::string key;
    Place place;
    std::vector<Value> values{};  // exactly one, unless it is a list
    bool is_list = false;
};

/// Entries in the order of the file.
using Table = std::vector<Entry>;

/// A [[site]] table.
struct SiteTable {
    Place place;
    Table entries;
};

/// The content of a configuration file. This class does not check which keys and values are
/// allowed.
struct Document {
    std::string file{};  // for messages, and for paths relative to its folder
    Table entries{};     // above the first [[site]]
    std::vector<SiteTable> sites{};
    std::vector<Problem> problems{};  // for text that is not TOML, or not a configuration
    /// True if the system had no memory or descriptor for the file, or if the disk failed: the file
    /// may be right.
    bool could_not_be_read = false;

    /// Splits a text from the place that at() has put before it. If there is no place, the problem
    /// belongs to the whole file.
    Problem problem_from(std::string_view text) const;
    /// "weir.toml:3:8"
    std::string at(Place place) const {
        return file + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
    }
};

/// Reads TOML. Any bytes are allowed; faults become problems.
Document parse(std::string_view text, std::string file);
/// The same for a file. An unreadable file is also a problem.
Document read(const std::string& path);
/// The reason why this build reads no file; empty if it does.
std::string_view unavailable() noexcept;

}  // namespace weir::cli::config

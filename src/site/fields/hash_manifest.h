#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::site {

/// The hashes of files, as sha256sum(1) and its siblings write them: "HEX  PATH" or "HEX *PATH", a line
/// each. A line that begins with `\` has `\\`, `\n` and `\r` in its path. Empty lines, and those that
/// begin with `#`, say nothing. Of several lines for one path, the last one holds.
class HashManifest {
   public:
    /// A line that is ignored.
    struct Fault {
        std::size_t line = 0;  // the first is 1
        std::string_view text;
    };

    HashManifest() = default;
    /// The paths of the lines begin at `folder`. This is relative to the root, as are the paths of find().
    HashManifest(std::string_view text, std::string_view folder);

    /// A hash of the hash in the line: the kind of that one does not matter.
    std::optional<std::uint64_t> find(std::string_view path) const noexcept;
    /// The first ones.
    const std::vector<Fault>& faults() const noexcept { return faults_; }
    std::size_t further_faults() const noexcept { return further_faults_; }

    static constexpr std::size_t line_bytes_max = 8192;
    static constexpr std::size_t digits_min = 32;  // MD5 has so many
    static constexpr std::size_t faults_max = 20;

   private:
    /// Hashes stand for both texts, so that a large manifest takes little memory.
    struct Entry {
        std::uint64_t path = 0;
        std::uint64_t sum = 0;
    };

    void add(std::string_view line, std::size_t number, std::string_view folder);
    std::string_view add_entry(std::string_view line, std::string_view folder);

    std::vector<Entry> entries_;  // in the order of their paths
    std::vector<Fault> faults_;
    std::size_t further_faults_ = 0;
};

/// True for a relative path without empty segments, "." and "..".
bool is_path_below(std::string_view path) noexcept;

}  // namespace weir::site

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::site {

/// The hashes of files, as sha256sum(1) writes them: "HEX  PATH" or "HEX *PATH", a line each. A line
/// that begins with `\` has `\\`, `\n` and `\r` in its path. Empty lines and lines that begin with
/// `#` are skipped. The last line for a path counts.
class HashManifest {
   public:
    /// A line that is ignored.
    struct Fault {
        std::size_t line = 0;  // the first is 1
        std::string_view text;
    };

    HashManifest() = default;
    /// `folder` is the folder of the manifest, relative to the root. So are the paths of find().
    HashManifest(std::string_view text, std::string_view folder);

    /// Returns a hash of the hash in the line, whose kind does not matter.
    std::optional<std::uint64_t> find(std::string_view path) const noexcept;
    /// The first `faults_max` lines that are ignored.
    const std::vector<Fault>& faults() const noexcept { return faults_; }
    std::size_t further_faults() const noexcept { return further_faults_; }
    /// True if there are more hashes than entries_max. Then it has none: a later line may have been
    /// for the same path as an earlier one.
    bool is_too_long() const noexcept { return is_too_long_; }

    static constexpr std::size_t line_bytes_max = 8192;
    static constexpr std::size_t path_bytes_max = 4095;  // the kernel opens no longer one
    static constexpr std::size_t entries_max = 250'000;  // 6 MB
    static constexpr std::size_t digits_min = 32;        // MD5 has so many
    static constexpr std::size_t faults_max = 20;

   private:
    /// Hashes stand for both texts, so that a large manifest takes little memory.
    struct Entry {
        std::uint64_t path = 0;
        std::uint64_t sum = 0;
        std::size_t place = 0;  // in the manifest
    };

    void add(std::string_view line, std::size_t number, std::string_view folder);
    std::string_view add_entry(std::string_view line, std::string_view folder);

    std::vector<Entry> entries_;  // in the order of their paths and places
    std::vector<Fault> faults_;
    std::size_t further_faults_ = 0;
    bool is_too_long_ = false;
};

/// True for a relative path without empty segments, "." and "..".
bool is_path_below(std::string_view path) noexcept;

}  // namespace weir::site

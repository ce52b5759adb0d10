#include <algorithm>
#include <ctime>
#include <type_traits>
#include <vector>

#include "archive/archive_format.h"
#include "archive/crc32.h"

// The sections are those of PKWARE's APPNOTE 6.3.10.
namespace weir::archive {
namespace {

constexpr std::uint32_t limit_32 = 0xffff'ffff;
constexpr std::uint16_t limit_16 = 0xffff;

/// Appends a number, the lowest byte first.
template <typename Number>
void put(std::string& out, std::type_identity_t<Number> value) {
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
        out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xffU);
}
void put16(std::string& out, std::uint64_t value) {
    put<std::uint16_t>(out, static_cast<std::uint16_t>(value));
}
void put32(std::string& out, std::uint64_t value) {
    put<std::uint32_t>(out, static_cast<std::uint32_t>(value));
}
void put64(std::string& out, std::uint64_t value) { put<std::uint64_t>(out, value); }

/// 4.4.6: local time in steps of two seconds, from 1980 to 2107. UTC here: the server's zone says
/// nothing to its clients.
std::uint32_t dos_time(std::int64_t unix_seconds) {
    const std::time_t time = unix_seconds;
    std::tm utc{};
    if (::gmtime_r(&time, &utc) == nullptr || utc.tm_year < 80) return (1U << 21U) | (1U << 16U);
    if (utc.tm_year > 207) utc.tm_year = 207;
    const auto part = [](int value, unsigned shift) {
        return static_cast<unsigned>(value) << shift;
    };
    return part(utc.tm_year - 80, 25) | part(utc.tm_mon + 1, 21) | part(utc.tm_mday, 16) |
           part(utc.tm_hour, 11) | part(utc.tm_min, 5) | part(utc.tm_sec / 2, 0);
}

constexpr std::uint16_t version_plain = 20, version_zip64 = 45;
constexpr std::uint16_t made_by_unix = 3 << 8;
/// 4.4.4: sizes and checksum stand behind the content; the name is UTF-8.
constexpr std::uint16_t has_descriptor = 1 << 3, is_utf8 = 1 << 11;
constexpr std::uint16_t stored = 0;

class Zip final : public Format {
   public:
    void begin(std::string& out, const Member& member) override {
        const std::size_t before = out.size();
        Entry& entry = entries_.emplace_back();
        entry.name = member.name;
        entry.is_folder = member.is_folder;
        entry.time = dos_time(member.modified);
        entry.offset = written_;
        entry.is_large = member.size >= limit_32;
        crc_ = {};
        put32(out, 0x04034b50);  // 4.3.7
        append_common(out, entry);
        put32(out, 0);  // checksum and sizes are in the descriptor
        put32(out, entry.is_large ? limit_32 : 0);
        put32(out, entry.is_large ? limit_32 : 0);
        put16(out, entry.name.size());
        put16(out, entry.is_large ? 20 : 0);
        out += entry.name;
        if (entry.is_large) append_sizes(out, 0);
        written_ += out.size() - before;
    }

    void see(std::string_view content) override {
        crc_.add(content);
        entries_.back().size += content.size();
        written_ += content.size();
    }

    void end(std::string& out, const Member& /*member*/) override {
        Entry& entry = entries_.back();
        if (entry.is_folder) return;
        const std::size_t before = out.size();
        entry.checksum = crc_.value();
        put32(out, 0x08074b50);  // 4.3.9
        put32(out, entry.checksum);
        if (entry.is_large) {
            put64(out, entry.size);
            put64(out, entry.size);
        } else {
            put32(out, entry.size);
            put32(out, entry.size);
        }
        written_ += out.size() - before;
    }

    void finish(std::string& out) override {
        const std::size_t before = out.size();
        for (const Entry& entry : entries_) append_directory_entry(out, entry);
        const std::uint64_t size = out.size() - before;
        if (written_ >= limit_32 || size >= limit_32 || entries_.size() >= limit_16)
            append_end_64(out, size);
        append_end(out, size);
    }

    bool may_be_short() const noexcept override { return true; }

   private:
    struct Entry {
        std::string name;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        std::uint32_t checksum = 0;
        std::uint32_t time = 0;
        bool is_folder = false;
        bool is_large = false;
    };

    static std::uint16_t version_of(const Entry& entry) {
        return entry.is_large || entry.offset >= limit_32 ? version_zip64 : version_plain;
    }

    static void append_common(std::string& out, const Entry& entry) {
        put16(out, version_of(entry));
        put16(out, entry.is_folder ? is_utf8 : has_descriptor | is_utf8);
        put16(out, stored);
        put32(out, entry.time);
    }

    /// 4.5.3
    static void append_sizes(std::string& out, std::uint64_t size) {
        put16(out, 1);
        put16(out, 16);
        put64(out, size);
        put64(out, size);
    }

    /// 4.3.12
    static void append_directory_entry(std::string& out, const Entry& entry) {
        constexpr std::uint32_t file_mode = 0100644U << 16U;
        constexpr std::uint32_t folder_mode = 0040755U << 16U | 0x10U;
        const bool is_far = entry.offset >= limit_32;
        const unsigned extra = (entry.is_large ? 16 : 0) + (is_far ? 8 : 0);
        put32(out, 0x02014b50);
        put16(out, made_by_unix | version_zip64);
        append_common(out, entry);
        put32(out, entry.checksum);
        put32(out, entry.is_large ? limit_32 : entry.size);
        put32(out, entry.is_large ? limit_32 : entry.size);
        put16(out, entry.name.size());
        put16(out, extra == 0 ? 0 : extra + 4);
        put16(out, 0);  // comment
        put16(out, 0);  // disk
        put16(out, 0);  // internal attributes
        put32(out, entry.is_folder ? folder_mode : file_mode);
        put32(out, is_far ? limit_32 : entry.offset);
        out += entry.name;
        if (extra == 0) return;
        put16(out, 1);
        put16(out, extra);
        if (entry.is_large) put64(out, entry.size);
        if (entry.is_large) put64(out, entry.size);
        if (is_far) put64(out, entry.offset);
    }

    /// 4.3.14 and 4.3.15
    void append_end_64(std::string& out, std::uint64_t size) const {
        constexpr std::uint64_t rest_bytes = 44;
        put32(out, 0x06064b50);
        put64(out, rest_bytes);
        put16(out, made_by_unix | version_zip64);
        put16(out, version_zip64);
        put32(out, 0);
        put32(out, 0);
        put64(out, entries_.size());
        put64(out, entries_.size());
        put64(out, size);
        put64(out, written_);
        put32(out, 0x07064b50);
        put32(out, 0);
        put64(out, written_ + size);
        put32(out, 1);
    }

    /// 4.3.16
    void append_end(std::string& out, std::uint64_t size) const {
        const auto count = std::min<std::uint64_t>(entries_.size(), limit_16);
        put32(out, 0x06054b50);
        put16(out, 0);
        put16(out, 0);
        put16(out, count);
        put16(out, count);
        put32(out, std::min<std::uint64_t>(size, limit_32));
        put32(out, std::min<std::uint64_t>(written_, limit_32));
        put16(out, 0);
    }

    std::vector<Entry> entries_;
    Crc32 crc_;
    std::uint64_t written_ = 0;
};

}  // namespace

std::unique_ptr<Format> make_zip() { return std::make_unique<Zip>(); }

}  // namespace weir::archive

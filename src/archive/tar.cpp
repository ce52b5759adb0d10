#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <numeric>

#include "archive/archive_format.h"

namespace weir::archive {
namespace {

constexpr std::size_t block_bytes = 512;

/// The ustar header of POSIX.1 (pax, "ustar Interchange Format").
struct Header {
    std::array<char, 100> name{};
    std::array<char, 8> mode{}, user{}, group{};
    std::array<char, 12> size{}, modified{};
    std::array<char, 8> checksum{};
    char type = '0';
    std::array<char, 100> link{};
    std::array<char, 8> magic{'u', 's', 't', 'a', 'r', '\0', '0', '0'};
    std::array<char, 183> rest{};
    std::array<char, 64> padding{};
};
static_assert(offsetof(Header, checksum) == 148 && offsetof(Header, magic) == 257);

constexpr std::uint64_t octal_max = (std::uint64_t{1} << 33U) - 1;  // eleven digits

/// Octal digits, and a NUL behind them.
template <std::size_t size>
void put_octal(std::array<char, size>& field, std::uint64_t value) {
    for (std::size_t at = size - 1; at-- > 0; value >>= 3U)
        field[at] = static_cast<char>('0' + (value & 7U));
}

void append_header(std::string& out, Header header) {
    header.checksum.fill(' ');
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&header);
    const std::uint64_t sum = std::accumulate(bytes, bytes + sizeof header, std::uint64_t{0});
    std::array<char, 7> digits{};
    put_octal(digits, sum);
    std::ranges::copy(digits, header.checksum.begin());
    out.append(reinterpret_cast<const char*>(&header), sizeof header);
}
static_assert(sizeof(Header) == block_bytes);

void pad(std::string& out, std::uint64_t size) {
    out.append((block_bytes - size % block_bytes) % block_bytes, '\0');
}

/// "27 path=folder/long-name\n": its own length comes first.
void append_record(std::string& out, std::string_view key, std::string_view value) {
    const std::size_t rest = key.size() + value.size() + 3;
    std::size_t size = rest + std::to_string(rest).size();
    size = rest + std::to_string(size).size();
    out.append(std::to_string(size)).append(" ").append(key).append("=").append(value) += '\n';
}

class Tar final : public Format {
   public:
    void begin(std::string& out, const Member& member) override {
        append_extension(out, member);
        Header header;
        put_octal(header.mode, member.is_folder ? 0755 : 0644);
        put_octal(header.user, 0);
        put_octal(header.group, 0);
        put_octal(header.size, member.size <= octal_max ? member.size : 0);
        put_octal(header.modified,
                  fits(member.modified) ? static_cast<std::uint64_t>(member.modified) : 0);
        header.type = member.is_folder ? '5' : '0';
        member.name.copy(header.name.data(), header.name.size());
        append_header(out, header);
    }
    void end(std::string& out, const Member& member) override { pad(out, member.size); }
    void finish(std::string& out) override { out.append(2 * block_bytes, '\0'); }
    bool may_be_short() const noexcept override { return false; }

   private:
    static bool fits(std::int64_t seconds) {
        return seconds >= 0 && static_cast<std::uint64_t>(seconds) <= octal_max;
    }

    /// What has no room in the header stands in a file of type x before it.
    static void append_extension(std::string& out, const Member& member) {
        std::string records;
        const bool is_ascii = std::ranges::all_of(
            member.name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        if (member.name.size() > sizeof Header::name || !is_ascii)
            append_record(records, "path", member.name);
        if (member.size > octal_max) append_record(records, "size", std::to_string(member.size));
        if (!fits(member.modified))
            append_record(records, "mtime", std::to_string(member.modified));
        if (records.empty()) return;
        Header header;
        header.type = 'x';
        put_octal(header.mode, 0644);
        put_octal(header.size, records.size());
        std::string_view{"pax-header"}.copy(header.name.data(), header.name.size());
        append_header(out, header);
        out += records;
        pad(out, records.size());
    }
};

}  // namespace

std::unique_ptr<Format> make_tar() { return std::make_unique<Tar>(); }

}  // namespace weir::archive

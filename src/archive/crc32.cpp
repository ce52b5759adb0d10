#include "archive/crc32.h"

namespace weir::archive {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
    constexpr std::uint32_t polynomial = 0xedb8'8320;
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? polynomial : 0);
        tables[0][byte] = value;
    }
    for (std::size_t table = 1; table < tables.size(); ++table)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
        }
    return tables;
}

constexpr Tables tables = make_tables();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) noexcept {
    return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

void Crc32::add(std::string_view bytes) noexcept {
    std::uint32_t state = state_;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        state ^= byte_at(bytes, 0) | byte_at(bytes, 1) << 8U | byte_at(bytes, 2) << 16U |
                 byte_at(bytes, 3) << 24U;
        state = tables[7][state & 0xffU] ^ tables[6][state >> 8U & 0xffU] ^
                tables[5][state >> 16U & 0xffU] ^ tables[4][state >> 24U] ^
                tables[3][byte_at(bytes, 4)] ^ tables[2][byte_at(bytes, 5)] ^
                tables[1][byte_at(bytes, 6)] ^ tables[0][byte_at(bytes, 7)];
    }
    for (std::size_t at = 0; at < bytes.size(); ++at)
        state = (state >> 8U) ^ tables[0][(state ^ byte_at(bytes, at)) & 0xffU];
    state_ = state;
}

}  // namespace weir::archive

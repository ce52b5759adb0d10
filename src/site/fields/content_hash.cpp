#include "site/fields/content_hash.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "net/uninterrupted.h"

namespace weir::site {

namespace {

/// The finalizer of splitmix64: every bit of the input affects every bit of the output.
std::uint64_t mixed(std::uint64_t value) noexcept {
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30u)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27u)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31u);
}

std::uint64_t word_at(const char* bytes, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, std::min(size, sizeof word));
    return word;
}

std::uint64_t bits(std::int64_t value) noexcept { return static_cast<std::uint64_t>(value); }

/// Fills `room`, or as much of it as the file has from `offset` on.
std::expected<std::string_view, std::error_code> read_at(int fd, std::uint64_t offset,
                                                         std::string& room, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = net::uninterrupted([&] {
            return ::pread(fd, room.data() + done, size - done, static_cast<off_t>(offset + done));
        });
        if (got < 0) return std::unexpected{std::error_code{errno, std::system_category()}};
        if (got == 0) return std::unexpected{std::make_error_code(std::errc::no_message_available)};
        done += static_cast<std::size_t>(got);
    }
    return std::string_view{room}.substr(0, size);
}

}  // namespace

std::uint64_t digest(std::initializer_list<std::uint64_t> values) noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values) sum = mixed(sum ^ value);
    return sum;
}

std::uint64_t digest_of(FileTime time) noexcept {
    return digest({bits(time.seconds), bits(time.nanoseconds)});
}

std::uint64_t identity_of(const FileState& state) noexcept {
    return digest({state.device, state.inode, state.size, digest_of(state.modified),
                   digest_of(state.changed)});
}

void ContentHash::add(std::string_view piece) noexcept {
    size_ += piece.size();
    const char* at = piece.data();
    const char* const end = at + piece.size();
    auto sums = sums_;
    for (; static_cast<std::size_t>(end - at) >= stride; at += stride)
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] = mixed(sums[i] ^ word_at(at + i * sizeof(std::uint64_t), stride));
    for (std::size_t i = 0; at < end; ++i) {
        const auto left = static_cast<std::size_t>(end - at);
        sums[i] = mixed(sums[i] ^ word_at(at, left));
        at += std::min(left, sizeof(std::uint64_t));
    }
    sums_ = sums;
}

std::uint64_t ContentHash::value() const noexcept {
    return digest({size_, sums_[0], sums_[1], sums_[2], sums_[3]});
}

std::uint64_t hash_of(std::string_view content) noexcept {
    ContentHash hash;
    hash.add(content);
    return hash.value();
}

std::expected<std::uint64_t, std::error_code> hash_of_file(int fd, std::uint64_t size) {
    constexpr std::uint64_t piece_max = std::uint64_t{2'048} * ContentHash::stride;  // 64 KB
    ContentHash hash;
    std::string room(static_cast<std::size_t>(std::min(size, piece_max)), '\0');
    for (std::uint64_t done = 0; done < size;) {
        const auto piece =
            read_at(fd, done, room, static_cast<std::size_t>(std::min(size - done, piece_max)));
        if (!piece) return std::unexpected{piece.error()};
        hash.add(*piece);
        done += piece->size();
    }
    return hash.value();
}

}  // namespace weir::site

#include "access/memory/siphash.h"

#include <bit>
#include <span>

#include "base/bytes/random_bytes.h"

namespace weir::access {
namespace {

struct State {
    std::uint64_t v0, v1, v2, v3;

    void round() noexcept {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void take(std::uint64_t word) noexcept {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
    std::uint64_t finish() noexcept {
        for (int i = 0; i < 4; ++i) round();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

/// Little-endian; at most eight bytes.
std::uint64_t word_of(std::string_view bytes) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

}  // namespace

SipKey SipKey::random() {
    SipKey key;
    fill_random(std::as_writable_bytes(std::span{&key, 1}));
    return key;
}

SipDigest siphash(const SipKey& key, std::string_view bytes) noexcept {
    State state{.v0 = key.first ^ 0x736f6d6570736575U,
                .v1 = key.second ^ 0x646f72616e646f6dU ^ 0xeeU,
                .v2 = key.first ^ 0x6c7967656e657261U,
                .v3 = key.second ^ 0x7465646279746573U};
    const std::uint64_t size = bytes.size();
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.take(word_of(bytes.substr(0, 8)));
    state.take(size << 56U | word_of(bytes));
    state.v2 ^= 0xeeU;
    const std::uint64_t first = state.finish();
    state.v1 ^= 0xddU;
    return {first, state.finish()};
}

}  // namespace weir::access

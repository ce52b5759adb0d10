#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::compress {

/// What is to come out of an encoder.
enum class Flush : std::uint8_t {
    none,  // what it likes to give
    sync,  // all that it was given so far, so that the peer can read it
    end,   // the same, and the end of the content
};

/// One content on its way through a library.
class Encoder {
   public:
    struct Progress {
        std::size_t taken = 0;  // bytes of the input
        std::size_t given = 0;  // bytes written
        bool is_done = false;   // all is taken, and all that `flush` asks for was given
        bool has_failed = false;
    };

    virtual ~Encoder() = default;
    /// Goes on until the input is used up or `into` is full. `flush` stays the same until the progress
    /// is done.
    virtual Progress encode(std::string_view input, std::span<char> into, Flush flush) = 0;
    /// A content that is there as a whole, compressed at once; nothing where there is no memory for it.
    virtual std::optional<std::string> whole(std::string_view content);
    /// Begins another content. False where there is no memory for it.
    virtual bool restart() = 0;
};

/// Null where there is no memory for it. `level` as in level_of().
using MakeEncoder = std::unique_ptr<Encoder> (*)(int level);

// Null in a build without the library.
extern const MakeEncoder make_gzip_encoder;
extern const MakeEncoder make_brotli_encoder;
extern const MakeEncoder make_zstandard_encoder;
/// For Encoder::whole() alone.
extern const MakeEncoder make_whole_gzip_encoder;

/// All take it: what is farther back than this is not found again. More takes memory, and files that are
/// longer gain little.
inline constexpr int window_bits = 17;

}  // namespace weir::compress

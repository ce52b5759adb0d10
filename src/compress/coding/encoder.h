#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::compress {

/// The output that the caller requires of an encoder.
enum class Flush : std::uint8_t {
    none,  // as much as the library chooses
    sync,  // all input so far, so that the peer can read it
    end,   // all input, and the end of the content
};

/// The last bytes of the output for Flush::sync in DEFLATE (RFC 1951): an empty block.
inline constexpr std::string_view sync_end{"\x00\x00\xff\xff", 4};

/// Compresses one content at a time with a library.
class Encoder {
   public:
    struct Progress {
        std::size_t taken = 0;  // bytes of the input
        std::size_t given = 0;  // bytes written
        bool is_done = false;   // all input is taken, and all output that `flush` requires is
                                // written
        bool has_failed = false;
    };

    virtual ~Encoder() = default;
    /// Continues until the input is used up or `into` is full. `flush` must stay the same until the
    /// progress is done.
    virtual Progress encode(std::string_view input, std::span<char> into, Flush flush) = 0;
    /// Compresses a whole content at once; nothing if there is no memory for it.
    virtual std::optional<std::string> whole(std::string_view content);
    /// Begins another content. False if there is no memory for that.
    virtual bool restart() = 0;
};

/// Returns null if there is no memory for an encoder. `level` as in CodingInUse.
using MakeEncoder = std::unique_ptr<Encoder> (*)(int level);

// Null in a build without the library.
extern const MakeEncoder make_gzip_encoder;
/// DEFLATE without a head (RFC 1951).
extern const MakeEncoder make_deflate_encoder;
extern const MakeEncoder make_brotli_encoder;
extern const MakeEncoder make_zstandard_encoder;
/// Its encoders can only run Encoder::whole().
extern const MakeEncoder make_whole_gzip_encoder;

/// Returns the name and version of a library, "zlib 1.2.13"; nothing in a build without it.
using NameLibrary = std::string (*)();
std::string zlib_name();
std::string brotli_name();
std::string zstandard_name();
std::string libdeflate_name();

/// The window of all encoders (2^17 bytes): repetitions at a larger distance are not found. A
/// larger window takes more memory, and saves little even in longer files.
inline constexpr int window_bits = 17;

}  // namespace weir::compress

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "compress/coding/encoder.h"
#include "compress/coding/expander.h"

namespace weir::compress {
namespace {

using Expansion = web::MessageCompression::Expansion;

constexpr std::size_t count_max = std::numeric_limits<uInt>::max();

class ZlibExpander final : public Expander {
   public:
    ZlibExpander() {
        if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc{};
    }
    ~ZlibExpander() override { ::inflateEnd(&stream_); }
    ZlibExpander(const ZlibExpander&) = delete;
    ZlibExpander& operator=(const ZlibExpander&) = delete;

    Expansion expand(std::string_view payload, std::size_t bytes_max,
                     std::string& message) override {
        if (payload.size() > count_max) return Expansion::too_large;
        ::inflateReset(&stream_);
        size_ = 0;
        message.clear();
        for (const std::string_view piece : {payload, sync_end})  // RFC 7692 7.2.2
            if (const auto result = read(piece, bytes_max, message); result != Expansion::whole)
                return result;
        if (!is_behind_block()) return Expansion::malformed;
        message.resize(size_);
        return Expansion::whole;
    }

   private:
    Expansion read(std::string_view piece, std::size_t bytes_max, std::string& message) {
        // zlib does not write to the input; the type is const only with ZLIB_CONST.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
        stream_.avail_in = static_cast<uInt>(piece.size());
        do {
            if (size_ == message.size()) grow(message, 4 * piece.size(), bytes_max);
            const auto room = static_cast<uInt>(std::min(message.size() - size_, count_max));
            stream_.next_out = reinterpret_cast<Bytef*>(message.data() + size_);
            stream_.avail_out = room;
            const int result = ::inflate(&stream_, Z_SYNC_FLUSH);
            size_ += room - stream_.avail_out;
            if (size_ > bytes_max) return Expansion::too_large;
            if (result == Z_MEM_ERROR) throw std::bad_alloc{};
            // RFC 7692 7.2.3.4: a final block does not end the message.
            if (result == Z_STREAM_END)
                ::inflateReset(&stream_);
            else if (result != Z_OK && result != Z_BUF_ERROR)
                return Expansion::malformed;
        } while (stream_.avail_in != 0 || stream_.avail_out == 0);
        return Expansion::whole;
    }

    /// One byte more than the limit shows that a message exceeds it.
    static void grow(std::string& message, std::size_t bytes_min, std::size_t bytes_max) {
        constexpr std::size_t bytes_least = 256;
        const std::size_t wanted = std::max({2 * message.size(), bytes_min, bytes_least});
        // GCC 12 passes the capacity for the size.
        const std::size_t size = std::min(wanted - 1, bytes_max) + 1;
        message.resize_and_overwrite(size, [&](char*, std::size_t) { return size; });
    }

    /// True if nothing of a block is left over (inflate() in zlib.h, `data_type`).
    bool is_behind_block() const noexcept { return (stream_.data_type & 128) != 0; }

    z_stream stream_{};
    std::size_t size_ = 0;  // of the message
};

}  // namespace

const MakeExpander make_expander = [] -> std::unique_ptr<Expander> {
    return std::make_unique<ZlibExpander>();
};

}  // namespace weir::compress

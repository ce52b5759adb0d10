#include <libdeflate.h>

#include <memory>
#include <new>
#include <utility>

#include "compress/coding/encoder.h"

// gzip by libdeflate: a third of zlib's time, but only for contents that are in memory as a whole.
namespace weir::compress {
namespace {

struct Free {
    void operator()(libdeflate_compressor* compressor) const noexcept {
        ::libdeflate_free_compressor(compressor);
    }
};
using Compressor = std::unique_ptr<libdeflate_compressor, Free>;

class WholeGzipEncoder final : public Encoder {
   public:
    explicit WholeGzipEncoder(Compressor compressor) noexcept
        : compressor_{std::move(compressor)} {}

    /// Never called, because this encoder gets only whole contents.
    Progress encode(std::string_view /*input*/, std::span<char> /*into*/,
                    Flush /*flush*/) override {
        return {.has_failed = true};
    }

    std::optional<std::string> whole(std::string_view content) override {
        std::string out;
        out.resize(::libdeflate_gzip_compress_bound(compressor_.get(), content.size()));
        const std::size_t size = ::libdeflate_gzip_compress(compressor_.get(), content.data(),
                                                            content.size(), out.data(), out.size());
        if (size == 0) return std::nullopt;  // too little space, which the bound excludes
        out.resize(size);
        out.shrink_to_fit();
        return out;
    }

    bool restart() override { return true; }

   private:
    Compressor compressor_;
};

std::unique_ptr<Encoder> make(int level) {
    Compressor compressor{::libdeflate_alloc_compressor(level)};
    if (!compressor) return nullptr;
    return std::unique_ptr<Encoder>{new (std::nothrow) WholeGzipEncoder{std::move(compressor)}};
}

}  // namespace

const MakeEncoder make_whole_gzip_encoder = make;

/// The version of the build: libdeflate has no function for the one that runs.
std::string libdeflate_name() { return "libdeflate " LIBDEFLATE_VERSION_STRING; }

}  // namespace weir::compress

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "compress/decoding/decoders.h"
#include "weir/compress/compress.h"
#include "weir/http/field_name.h"

namespace weir::compress {
namespace {

struct Known {
    std::string_view coding;
    MakeDecoder make;
};

/// The best one first. RFC 9110 8.4.1.3: "x-gzip" is an old name of gzip.
const std::array<Known, 3>& known() {
    static const std::array<Known, 3> all{{{"zstd", make_zstandard_decoder},
                                           {"gzip", make_gzip_decoder},
                                           {"x-gzip", make_gzip_decoder}}};
    return all;
}

class Decoding final : public web::ContentDecoding {
   public:
    Decoding() {
        for (const Known& each : known())
            if (each.make != nullptr && each.coding != "x-gzip")
                codings_.append(codings_.empty() ? "" : ", ").append(each.coding);
    }
    std::string_view codings() const noexcept override { return codings_; }
    std::unique_ptr<web::ContentDecoder> decoder(std::string_view coding) const override {
        for (const Known& each : known())
            if (each.make != nullptr && http::equals_ignoring_case(each.coding, coding))
                return each.make();
        return nullptr;
    }

   private:
    std::string codings_;
};

}  // namespace

std::shared_ptr<const web::ContentDecoding> decoding() { return std::make_shared<Decoding>(); }

}  // namespace weir::compress

// HPACK: two sections on one connection. Where nghttp2 is there, it says what they mean.

#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "http/hpack/decoder.h"

#if WEIR_HAS_NGHTTP2
#include <nghttp2/nghttp2.h>
#endif

namespace weir::tests {
namespace {

/// The fields of a section, or nothing where it is malformed.
using Section = std::optional<std::vector<std::string>>;

class Ours final : private http::hpack::FieldVisitor {
   public:
    Section read(std::string_view block) {
        fields_.clear();
        const ExactCopy copy{block};
        if (!decoder_.decode(copy.view(), *this)) return std::nullopt;
        require(decoder_.bytes() <= std::size_t{12} * 1024);
        return fields_;
    }

   private:
    void field(std::string_view name, std::string_view value, bool) override {
        fields_.push_back(std::string{name} + "=" + std::string{value});
    }

    http::hpack::Decoder decoder_;
    std::vector<std::string> fields_;
};

#if WEIR_HAS_NGHTTP2
class Theirs {
   public:
    Theirs() { require(nghttp2_hd_inflate_new(&inflater_) == 0); }
    ~Theirs() { nghttp2_hd_inflate_del(inflater_); }
    Theirs(const Theirs&) = delete;
    Theirs& operator=(const Theirs&) = delete;

    Section read(std::string_view block) {
        std::vector<std::string> fields;
        for (;;) {
            nghttp2_nv field{};
            int flags = 0;
            const auto size = nghttp2_hd_inflate_hd2(
                inflater_, &field, &flags, reinterpret_cast<const std::uint8_t*>(block.data()),
                block.size(), 1);
            if (size < 0) return std::nullopt;
            block.remove_prefix(static_cast<std::size_t>(size));
            if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0)
                fields.push_back(text(field.name, field.namelen) + "=" +
                                 text(field.value, field.valuelen));
            if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) break;
        }
        nghttp2_hd_inflate_end_headers(inflater_);
        return fields;
    }

   private:
    static std::string text(const std::uint8_t* bytes, std::size_t size) {
        return {reinterpret_cast<const char*>(bytes), size};
    }

    nghttp2_hd_inflater* inflater_ = nullptr;
};
#endif

}  // namespace

void fuzz(const FuzzInput& input) {
    Ours ours;
#if WEIR_HAS_NGHTTP2
    Theirs theirs;
#endif
    for (const std::string_view block :
         {input.text.substr(0, input.cut), input.text.substr(input.cut)}) {
        const Section section = ours.read(block);
#if WEIR_HAS_NGHTTP2
        require(section == theirs.read(block));
#endif
        if (!section) return;
    }
}

}  // namespace weir::tests

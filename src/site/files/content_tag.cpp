#include "site/files/content_tag.h"

#include <array>

#include "site/answer/entity_tag.h"
#include "site/files/read_file.h"

namespace weir::site {

std::expected<std::string, std::error_code> content_tag(int fd, const FileState& state,
                                                        Coding coding) {
    if (state.size > tagged_bytes_max) return dated_entity_tag(state, coding);
    ContentSum sum;
    std::array<char, 16 * 1024> piece;
    for (std::uint64_t offset = 0;; offset += piece.size()) {
        const auto size = read_at(fd, offset, piece.data(), piece.size());
        if (!size) return std::unexpected{size.error()};
        sum.add({piece.data(), *size});
        if (*size == piece.size()) continue;
        return offset + *size == state.size ? sum.entity_tag() : std::string{};
    }
}

}  // namespace weir::site

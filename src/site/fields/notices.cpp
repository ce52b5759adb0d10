#include "site/fields/notices.h"

#include "site/fields/content_hash.h"
#include "site/path/target_path.h"

namespace weir::site {

namespace {

/// As in a URL, so that a name cannot forge a line of a log.
std::string shown(const std::string& file) {
    std::string text;
    append_encoded(text, "/" + file);
    return text;
}

}  // namespace

std::uint64_t Notices::next_number() noexcept {
    for (std::uint64_t number = 0; number < files_max; ++number)
        if (told_.is_first(digest({number}))) return number;
    return files_max;
}

void Notices::too_old(const std::string& compressed, const std::string& original) {
    if (!tell_ || !told_.is_first(hash_of(compressed))) return;
    const std::uint64_t number = next_number();
    if (number == files_max) return;
    std::string message = shown(compressed) + " is not sent, because it is older than " +
                          shown(original) + "; compress that again";
    if (number + 1 == files_max) message += "; weir names no further files that are too old";
    tell_(message);
}

}  // namespace weir::site

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::http {

/// Received bytes that a connection has not read yet. The connection reads them in the engine's buffer.
/// The unread rest is copied to memory of the connection, `kept`, before the engine uses its buffer
/// again.
inline void keep_input(std::string_view& input, std::string& kept) {
    const bool is_kept = input.data() >= kept.data() && input.data() < kept.data() + kept.size();
    if (input.empty() || is_kept) return;
    kept.assign(input);
    input = kept;
}

/// More bytes have come behind the unread ones, which are not empty.
inline void add_input(std::string_view& input, std::string& kept, std::string_view bytes) {
    keep_input(input, kept);
    kept.erase(0, static_cast<std::size_t>(input.data() - kept.data()));
    input = kept.append(bytes);
}

}  // namespace weir::http

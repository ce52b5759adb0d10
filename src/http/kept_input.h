#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::http {

/// Received bytes that a connection has not read yet. They are read where the engine put them. What is
/// left of them is copied to memory of the connection's own, `kept`, before the engine uses its buffer
/// again.
inline void keep_input(std::string_view& input, std::string& kept) {
    const bool is_kept = input.data() >= kept.data() && input.data() < kept.data() + kept.size();
    if (input.empty() || is_kept) return;
    kept.assign(input);
    input = kept;
}

/// More has come behind what is left, which is not empty.
inline void add_input(std::string_view& input, std::string& kept, std::string_view bytes) {
    keep_input(input, kept);
    kept.erase(0, static_cast<std::size_t>(input.data() - kept.data()));
    input = kept.append(bytes);
}

}  // namespace weir::http

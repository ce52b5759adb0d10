#pragma once

#include <array>
#include <string>
#include <string_view>

namespace weir::rules {

/// The host of an authority ("Example.org:8080"): in lower case, without its port and without a
/// full stop at its end. An IPv6 address keeps its brackets.
class HostName {
   public:
    explicit HostName(std::string_view authority) noexcept;
    HostName(const HostName&) = delete;
    HostName& operator=(const HostName&) = delete;

    /// Empty if there is none, or if it is longer than a name can be (RFC 1035 2.3.4).
    std::string_view text() const noexcept { return {buffer_.data(), size_}; }

   private:
    std::array<char, 255> buffer_;
    std::size_t size_ = 0;
};

/// "https://example.org" of "HTTPS://Example.org:443": an origin in lower case, without the default
/// port of its scheme. A text without "://" is only changed to lower case.
std::string normal_origin(std::string_view text);

}  // namespace weir::rules

#pragma once

#include <openssl/err.h>

#include <string>

namespace weir::tls {

/// The reason why OpenSSL's last call on this thread failed: "no start line".
inline std::string last_words() {
    std::string words = "unknown";
    if (const unsigned long error = ERR_peek_last_error()) {
        const char* const reason = ERR_reason_error_string(error);
        if (reason) words = reason;
    }
    ERR_clear_error();
    return words;
}

}  // namespace weir::tls

#include "weir/server/log.h"

#include <sys/uio.h>

#include <array>

namespace weir::server {
namespace {

std::string_view prefix_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return "weir: ";
        case Severity::warning: return "weir: warning: ";
        case Severity::error: return "weir: error: ";
    }
    return {};
}

iovec part(std::string_view text) noexcept {
    return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
}

class StandardErrorLog final : public Log {
   public:
    void write(Severity severity, std::string_view message) noexcept override {
        const std::array parts{part(prefix_of(severity)), part(message), part("\n")};
        // If standard error fails, nothing can report it.
        [[maybe_unused]] const auto written = ::writev(2, parts.data(), parts.size());
    }
};

}  // namespace

Log& standard_error_log() noexcept {
    static StandardErrorLog log;
    return log;
}

}  // namespace weir::server

#include <stdexcept>

#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

/// The reply that asks for the content carries the limit to the connection.
class ContentLimit final : public Middleware {
   public:
    explicit ContentLimit(std::uint64_t bytes) noexcept : bytes_{bytes} {}
    std::string_view name() const noexcept override { return "content_limit"; }
    std::optional<Response> before(const Call& call) override {
        call.state().own_notes().content_bytes_max = bytes_;
        return std::nullopt;
    }

   private:
    std::uint64_t bytes_;
};

}  // namespace

std::shared_ptr<Middleware> content_limit(std::uint64_t bytes) {
    if (bytes == 0) throw std::invalid_argument{"content_limit() was given 0 bytes"};
    return std::make_shared<ContentLimit>(bytes);
}

}  // namespace weir::web

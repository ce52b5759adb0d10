#include <stdexcept>

#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

/// The call's continuation keeps the time.
class TimeLimit final : public Middleware {
   public:
    explicit TimeLimit(std::chrono::milliseconds time) noexcept : time_{time} {}
    std::string_view name() const noexcept override { return "time_limit"; }
    std::optional<Response> before(const Call& call) override {
        call.state().own_notes().time = time_;
        return std::nullopt;
    }

   private:
    std::chrono::milliseconds time_;
};

}  // namespace

std::shared_ptr<Middleware> time_limit(std::chrono::milliseconds time) {
    if (time <= time.zero()) throw std::invalid_argument{"time_limit() was given no time"};
    return std::make_shared<TimeLimit>(time);
}

}  // namespace weir::web

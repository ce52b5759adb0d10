#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

/// If there are several limits, the shortest counts. The call's continuation keeps the time.
class TimeLimit final : public Middleware {
   public:
    explicit TimeLimit(std::chrono::milliseconds time) noexcept : time_{time} {}
    std::string_view name() const noexcept override { return "time_limit"; }
    std::optional<Response> before(const Call& call) override {
        auto& time = call.state().own_notes().time;
        if (time.count() == 0 || time_ < time) time = time_;
        return std::nullopt;
    }

   private:
    std::chrono::milliseconds time_;
};

}  // namespace

std::shared_ptr<Middleware> time_limit(std::chrono::milliseconds time) {
    return std::make_shared<TimeLimit>(time);
}

}  // namespace weir::web

#include <stdexcept>
#include <utility>

#include "compress/compressing.h"
#include "weir/compress/compress.h"

namespace weir::web {
namespace {

class Compression final : public Middleware {
   public:
    explicit Compression(std::unique_ptr<compress::Compressing> compressing) noexcept
        : compressing_{std::move(compressing)} {}
    std::string_view name() const noexcept override { return "compression"; }

    std::optional<Response> before(const Call& call) override {
        compressing_->prepare(call.request());
        return std::nullopt;
    }
    void after(const Call& call, Response& response) override {
        compressing_->complete(call.request(), response);
    }

   private:
    std::unique_ptr<compress::Compressing> compressing_;
};

}  // namespace

std::shared_ptr<Middleware> compression(compress::Options options) {
    auto compressing = compress::Compressing::from(std::move(options));
    if (!compressing) throw std::invalid_argument{compressing.error()};
    return std::make_shared<Compression>(std::move(*compressing));
}

}  // namespace weir::web

#include "upload/incoming.h"

#include <exception>
#include <memory>
#include <utility>

#include "weir/web/refusal.h"

namespace weir::upload {
namespace {

/// A full buffer takes fewer switches between threads than a write for each piece that arrives.
constexpr std::size_t buffer_bytes = 128 * 1024;

/// Closes a file on a helper thread: if a large one has no name, this frees its blocks, and takes
/// time.
class Closing final : public web::detail::Job {
   public:
    explicit Closing(Begun begun) : begun_{std::move(begun)} {}
    void run() noexcept override { begun_.reset(); }

   private:
    std::optional<Begun> begun_;
};

}  // namespace

Incoming::~Incoming() {
    if (!begun_) return;
    try {
        workers_.post(std::make_shared<Closing>(std::move(*begun_)));
    } catch (const std::exception&) {
        begun_.reset();  // closed on this thread
    }
}

bool Incoming::add(std::string_view bytes) {
    if (bytes.size() > begun_->bytes_max - size_) throw store_.refusal_of_size(begun_->bytes_max);
    size_ += bytes.size();
    buffer_.append(bytes);
    return buffer_.size() >= buffer_bytes;
}

void Incoming::write() try {
    begun_->file.write(buffer_);
    buffer_.clear();
} catch (const web::Refusal&) {
    begun_.reset();  // nothing of the file is left when the peer gets the refusal
    throw;
}

Put Incoming::finish() {
    write();
    Begun begun = std::move(*begun_);
    begun_.reset();
    return store_.finish(begun, target_, conditions_, size_);
}

}  // namespace weir::upload

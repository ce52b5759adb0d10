#include "upstream/pool.h"

#include <algorithm>
#include <new>

#include "net/descriptors.h"
#include "upstream/dial.h"
#include "upstream/line.h"

namespace weir::upstream {

using http::client::Exchange;
using http::client::Failure;

/// The idle connections of one thread to one server at one address. The one that was used last is
/// used next: the others can end.
class Pool::Kept final : public upstream::Shelf {
   public:
    explicit Kept(std::size_t lines_max) : lines_max_{lines_max} { lines_.reserve(lines_max); }

    /// Null: no layer is around the connections.
    std::shared_ptr<http::client::LayerParts> parts;

    bool keep(std::shared_ptr<Line> line) noexcept override {
        const std::scoped_lock lock{mutex_};
        if (lines_.size() == lines_max_) return false;
        lines_.push_back(std::move(line));  // the memory is reserved
        return true;
    }
    void forget(const Line& line) noexcept override {
        const std::scoped_lock lock{mutex_};
        std::erase_if(lines_, [&line](const auto& each) { return each.get() == &line; });
    }
    /// Null if there is none.
    std::shared_ptr<Line> take() noexcept {
        const std::scoped_lock lock{mutex_};
        if (lines_.empty()) return nullptr;
        auto line = std::move(lines_.back());
        lines_.pop_back();
        return line;
    }

   private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Line>> lines_;
    const std::size_t lines_max_;
};

void Pool::begin(const std::shared_ptr<Exchange>& exchange, const Place& place,
                 const std::shared_ptr<http::Postbox>& postbox, bool fresh) {
    if (!place.host.empty() && !layer_) return exchange->fail(Failure::insecure);
    const auto shelf = shelf_for({postbox.get(), place.address, place.host});
    while (!fresh) {
        const auto line = shelf->take();
        if (!line) break;
        if (line->start(exchange)) return;
    }
    net::FileShare share;  // as for a file: idle clients make room for it
    net::UniqueFd socket;
    if (postbox->has_network()) {
        if (share.take()) socket = begin_to_connect(place.address);
        if (!socket) return exchange->fail(Failure::unreachable);
    }
    auto line = std::make_shared<Line>(exchange, shelf, std::move(share));
    auto dial = std::make_unique<Dial>(std::move(socket), std::move(line), limits_, timeouts_);
    // A test that plays the other server has no certificate for it.
    if (shelf->parts && postbox->has_network()) dial->secure(layer_, place.host, shelf->parts);
    postbox->adopt(std::move(dial));
}

std::shared_ptr<Pool::Kept> Pool::shelf_for(const Key& key) {
    const std::scoped_lock lock{mutex_};
    if (shelves_.size() >= drop_at_) drop_unused();
    auto& known = shelves_[key];
    auto shelf = known.lock();
    if (shelf) return shelf;
    shelf = std::make_shared<Kept>(kept_max_);
    if (!std::get<std::string>(key).empty())
        shelf->parts = std::make_shared<http::client::LayerParts>(limits_, timeouts_);
    known = shelf;
    return shelf;
}

/// The threads of some engines come and go, and their shelves with them.
void Pool::drop_unused() {
    std::erase_if(shelves_, [](const auto& each) { return each.second.expired(); });
    drop_at_ = 2 * shelves_.size() + 16;
}

}  // namespace weir::upstream

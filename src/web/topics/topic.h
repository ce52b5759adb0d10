#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "web/stream/outbox.h"
#include "web/topics/publication.h"

namespace weir::web::detail {

/// The subscribers of one topic. Any thread may call each member.
class Topic {
   public:
    explicit Topic(std::string name) noexcept : name_{std::move(name)} {}

    std::string_view name() const noexcept { return name_; }
    /// Moves the one outbox of `one` here.
    void add(std::list<std::shared_ptr<Outbox>>& one) noexcept;
    void remove(std::list<std::shared_ptr<Outbox>>::iterator outbox) noexcept;
    std::size_t size() const noexcept;
    /// Returns the number of outboxes that have the message. See Outbox::publish(). Throws
    /// std::bad_alloc; some outboxes may have the message then.
    std::size_t publish(Publication& publication, CloseCode when_full) const;

   private:
    const std::string name_;
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<Outbox>> outboxes_{};  // guarded by the mutex
};

}  // namespace weir::web::detail

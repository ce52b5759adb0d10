#include <iterator>
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "weir/web/session_store.h"

namespace weir::web {
namespace {

using std::chrono::sys_seconds;

/// The weight of a session without values: its id, the nodes of the tables, and times.
constexpr std::size_t session_bytes = 256;

std::size_t bytes_of(const StoredSession& session) noexcept {
    std::size_t bytes = session_bytes;
    for (const auto& [key, value] : session.values) bytes += key.size() + value.size();
    return bytes;
}

void apply(SessionChanges&& changes, StoredSession& session) {
    for (auto& [key, value] : changes.values)
        if (value)
            session.values.insert_or_assign(key, std::move(*value));
        else
            session.values.erase(key);
    session.expires = changes.expires;
}

/// Sessions in the order of their last changes. Any thread may call the members.
class Table {
   public:
    explicit Table(MemorySessions bounds) noexcept : bounds_{bounds} {}

    std::optional<StoredSession> find(std::string_view id) const {
        const std::scoped_lock lock{mutex_};
        const auto found = by_id_.find(id);
        if (found == by_id_.end()) return std::nullopt;
        return found->second->session;
    }

    void insert(std::string&& id, StoredSession&& session, sys_seconds now) {
        const std::scoped_lock lock{mutex_};
        while (!entries_.empty() && entries_.front().session.expires <= now)
            erase(entries_.begin());
        std::list<Entry> added;
        added.push_back({.id = std::move(id), .session = std::move(session), .bytes = 0});
        by_id_.emplace(added.front().id, added.begin());
        entries_.splice(entries_.end(), added);
        weigh(entries_.back());
    }

    bool update(std::string_view id, SessionChanges&& changes) {
        const std::scoped_lock lock{mutex_};
        const auto found = by_id_.find(id);
        if (found == by_id_.end()) return false;
        const auto entry = found->second;
        StoredSession changed = entry->session;  // an exception leaves the session as it was
        apply(std::move(changes), changed);
        entry->session = std::move(changed);
        entries_.splice(entries_.end(), entries_, entry);
        weigh(*entry);
        return true;
    }

    void remove(std::string_view id) {
        const std::scoped_lock lock{mutex_};
        const auto found = by_id_.find(id);
        if (found != by_id_.end()) erase(found->second);
    }

   private:
    struct Entry {
        std::string id;
        StoredSession session;
        std::size_t bytes;  // as counted in `bytes_`
    };
    using Place = std::list<Entry>::iterator;

    void weigh(Entry& entry) noexcept {
        bytes_ -= entry.bytes;
        entry.bytes = bytes_of(entry.session);
        bytes_ += entry.bytes;
        while (entries_.size() > bounds_.sessions_max || bytes_ > bounds_.bytes_max)
            erase(entries_.begin());
    }
    void erase(Place place) noexcept {
        bytes_ -= place->bytes;
        by_id_.erase(place->id);
        entries_.erase(place);
    }

    const MemorySessions bounds_;
    mutable std::mutex mutex_;
    std::list<Entry> entries_;  // guarded by the mutex, like the next two; the oldest first
    std::unordered_map<std::string_view, Place> by_id_;
    std::size_t bytes_ = 0;
};

class InMemory final : public SessionStore {
   public:
    explicit InMemory(MemorySessions bounds) noexcept : table_{bounds} {}

    Task<std::optional<StoredSession>> load(std::string id) override { co_return table_.find(id); }
    Task<> insert(std::string id, StoredSession session, sys_seconds now) override {
        table_.insert(std::move(id), std::move(session), now);
        co_return;
    }
    Task<bool> update(std::string id, SessionChanges changes) override {
        co_return table_.update(id, std::move(changes));
    }
    Task<> remove(std::string id) override {
        table_.remove(id);
        co_return;
    }

   private:
    Table table_;
};

}  // namespace

std::shared_ptr<SessionStore> memory_sessions(MemorySessions bounds) {
    return std::make_shared<InMemory>(bounds);
}

}  // namespace weir::web

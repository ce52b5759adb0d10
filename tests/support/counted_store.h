#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "weir/web/await.h"
#include "weir/web/session_store.h"

namespace weir::tests {

/// A store in memory that may answer from another thread, or fail. Counts its calls, for one
/// connection at a time.
struct CountedStore final : web::SessionStore {
    web::Task<std::optional<web::StoredSession>> load(std::string id) override {
        ++loads;
        co_await away();
        auto loading = memory->load(std::move(id));
        co_return co_await loading;
    }
    web::Task<> insert(std::string id, web::StoredSession session,
                       std::chrono::sys_seconds now) override {
        ++inserts;
        last_id = id;
        co_await away();
        auto inserting = memory->insert(std::move(id), std::move(session), now);
        co_await inserting;
    }
    web::Task<bool> update(std::string id, web::SessionChanges changes) override {
        ++updates;
        co_await away();
        auto updating = memory->update(std::move(id), std::move(changes));
        co_return co_await updating;
    }
    web::Task<> remove(std::string id) override {
        ++removes;
        co_await away();
        auto removing = memory->remove(std::move(id));
        co_await removing;
    }
    web::Task<> away() {
        if (is_slow) co_await web::offload(workers, [] {});
        if (is_broken) throw std::runtime_error{"no database"};
    }

    std::shared_ptr<web::SessionStore> memory = web::memory_sessions();
    web::Workers workers{1};
    bool is_slow = false;
    bool is_broken = false;
    int loads = 0, inserts = 0, updates = 0, removes = 0;
    std::string last_id{};
};

}  // namespace weir::tests

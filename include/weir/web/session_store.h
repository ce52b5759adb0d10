#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "weir/web/task.h"

namespace weir::web {

/// A session as a store keeps it.
struct StoredSession {
    /// Any bytes; see SessionOptions::bytes_max.
    std::map<std::string, std::string, std::less<>> values{};
    std::chrono::sys_seconds begun{};
    std::chrono::sys_seconds expires{};
};

/// The effect of one request on a session.
struct SessionChanges {
    /// The values that the request has set; null for those that it has removed. Others stay.
    std::map<std::string, std::optional<std::string>, std::less<>> values{};
    std::chrono::sys_seconds expires{};
};

/// Keeps the sessions of sessions(). Derive a class for a database. An id is 43 characters of
/// base64url, by which nobody can open the session: the SHA-256 hash of the cookie's value.
///
/// Each function is a coroutine on the thread of a connection, and several run at once. A call that
/// blocks goes to other threads by offload(). An exception of a function is a 500.
class SessionStore {
   public:
    virtual ~SessionStore() = default;
    /// The session, or nothing. The caller checks whether it has expired.
    virtual Task<std::optional<StoredSession>> load(std::string id) = 0;
    /// Keeps a new session. Sessions that have expired at `now` may be deleted.
    virtual Task<> insert(std::string id, StoredSession session, std::chrono::sys_seconds now) = 0;
    /// Applies the changes in one step. Does nothing and returns false if the session is not there:
    /// one that another request has removed must not come back.
    virtual Task<bool> update(std::string id, SessionChanges changes) = 0;
    virtual Task<> remove(std::string id) = 0;
};

/// The bounds of memory_sessions(). If one is exceeded, the sessions that were stored the longest
/// time ago are deleted.
struct MemorySessions {
    std::size_t sessions_max = 100'000;
    /// Of keys and values, and 256 bytes for each session.
    std::size_t bytes_max = 64 * 1024 * 1024;
};
/// A store in the memory of the process. Sessions end with it, and each process has its own: with
/// an engine that forks (`prefork`, `fork-per-connection`), a client's next connection may reach
/// another process, so that its session seems to be gone. Use a database there.
std::shared_ptr<SessionStore> memory_sessions(MemorySessions bounds = {});

}  // namespace weir::web

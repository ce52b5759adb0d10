#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "access/memory/clock.h"
#include "access/password/htpasswd.h"
#include "access/password/small_file.h"
#include "net/mapping.h"

namespace weir::access {

/// An htpasswd file, which is read again when it has changed. If the new content cannot be used,
/// the last usable users stay. Any thread may call it, and any forked process.
class UserFile {
   public:
    /// Gets a sentence for the operator. Must not block; any thread calls it.
    using Tell = std::function<void(std::string_view sentence)>;
    static constexpr std::chrono::milliseconds look_pause{1000};

    /// `more` take precedence over the users of the file. An empty path: there is no file. The
    /// error is a sentence that names the file.
    static std::expected<std::unique_ptr<UserFile>, std::string> open(
        std::string path, Users more, Tell tell, Clock clock = net::read_clock);

    /// Checks the file first, once a second at most.
    std::shared_ptr<const Users> users();

   private:
    /// The state that a process shares with its forked children.
    struct Shared {
        std::atomic<std::uint64_t> good;  // the mark of the last file that could be used
        std::atomic<std::uint64_t> told;  // the mark of the last one that was reported
    };

    UserFile(std::string path, Users more, Tell tell, Clock clock);
    bool is_time(Instant now) noexcept;
    void look(std::int64_t unix_seconds);
    using Content = std::expected<std::string, std::error_code>;
    std::expected<Users, std::string> users_of(const Content& content) const;
    void use(const Users& users, const site::FileState& state);
    void refuse(const std::string& why, const site::FileState& state);

    const std::string path_;
    const Users more_;
    const Tell tell_;
    const Clock clock_;
    const net::Mapping mapping_;
    Shared& shared_;
    std::atomic<Instant::rep> next_look_{0};
    std::mutex mutex_;
    site::FileState state_;               // guarded by the mutex, like the next two
    std::uint64_t own_ = 0;               // the mark of the file that users_ is from
    std::shared_ptr<const Users> users_;  // not null after open()
};

}  // namespace weir::access

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

/// An htpasswd file, which is read again when it has changed. If the new one cannot be used, the last
/// users that could stay. Any thread may call it, and any process that is forked.
class UserFile {
   public:
    /// Hears a sentence for the operator. Must not block; any thread calls it.
    using Tell = std::function<void(std::string_view sentence)>;
    static constexpr std::chrono::milliseconds look_pause{1000};

    /// `more` count before those of the file. An empty path: there is no file. The error is a sentence
    /// that names the file.
    static std::expected<std::unique_ptr<UserFile>, std::string> open(
        std::string path, Users more, Tell tell, Clock clock = net::read_clock);

    /// Looks at the file before, once a second at most.
    std::shared_ptr<const Users> users();

   private:
    /// What the process and those that it forks agree on.
    struct Shared {
        std::atomic<std::uint64_t> good;  // the mark of the last file that could be used
        std::atomic<std::uint64_t> told;  // the mark of the last one that was complained of
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
    site::FileState state_;               // guarded by the mutex, as what follows
    std::uint64_t own_ = 0;               // of the file that users_ is from
    std::shared_ptr<const Users> users_;  // not null once open() has returned it
};

}  // namespace weir::access

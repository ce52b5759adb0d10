#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "rules/auth/htpasswd.h"
#include "rules/seldom.h"
#include "rules/small_file.h"

namespace weir::rules {

/// An htpasswd file, which is read again when it has changed. If the new one is wrong, the old users
/// stay. Any thread may call it.
class UserFile {
   public:
    /// Hears a sentence for the operator. Must not block; any thread calls it.
    using Tell = std::function<void(const std::string& sentence)>;

    /// The error is a sentence that names the file.
    static std::expected<std::unique_ptr<UserFile>, std::string> open(std::string path, Tell tell,
                                                                      Clock clock = system_clock);
    UserFile(std::string path, Tell tell, Clock clock)
        : path_{std::move(path)}, tell_{std::move(tell)}, looks_{clock, look_pause} {}

    /// Looks at the file, once a second at most. Returns a number that is another one whenever the
    /// users are others.
    std::uint64_t version();
    std::shared_ptr<const Users> users() const;

   private:
    /// Why the file cannot be used; empty if it can.
    std::string read();
    void look();

    const std::string path_;
    const Tell tell_;
    Seldom looks_;
    std::atomic<std::uint64_t> version_{0};
    mutable std::mutex mutex_;
    FileMark mark_;                       // guarded by the mutex, as what follows
    std::shared_ptr<const Users> users_;  // not null once open() has returned it
};

}  // namespace weir::rules

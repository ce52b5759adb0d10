#include "upload/shared_mutex.h"

#include <pthread.h>

#include <cerrno>
#include <utility>

#include "base/last_error.h"

namespace weir::upload {

std::expected<SharedMutex, std::string> SharedMutex::make() {
    auto mapping = net::Mapping::among_forks(sizeof(pthread_mutex_t));
    if (!mapping)
        return std::unexpected{"no memory for a lock of all processes: " + last_error().message()};
    pthread_mutexattr_t kind;
    ::pthread_mutexattr_init(&kind);
    ::pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    ::pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    ::pthread_mutex_init(mapping.at<pthread_mutex_t>(0), &kind);
    ::pthread_mutexattr_destroy(&kind);
    return SharedMutex{std::move(mapping)};
}

/// The mutex protects no data in memory: the files that a dead owner left are on the disk, and
/// whole.
void SharedMutex::lock() noexcept {
    auto* const mutex = mapping_.at<pthread_mutex_t>(0);
    if (::pthread_mutex_lock(mutex) == EOWNERDEAD) ::pthread_mutex_consistent(mutex);
}

void SharedMutex::unlock() noexcept { ::pthread_mutex_unlock(mapping_.at<pthread_mutex_t>(0)); }

}  // namespace weir::upload

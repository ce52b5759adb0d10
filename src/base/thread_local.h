#pragma once

#include <pthread.h>

#include <new>

namespace weir {

/// An object of each thread, made at its first use and deleted when the thread ends.
///
/// A `thread_local` object with a destructor does not serve: glibc ends the process if it has no
/// memory to register the destructor (__cxa_thread_atexit_impl).
template <typename T>
class ThreadLocal {
   public:
    /// Null if there is no memory for the object.
    static T* get() noexcept {
        if (!mine) [[unlikely]]
            make();
        return mine;
    }

   private:
    struct Key {
        Key() noexcept : is_valid{::pthread_key_create(&key, discard) == 0} {}
        pthread_key_t key{};
        bool is_valid;
    };

    static void make() noexcept {
        static const Key key;
        T* const made = key.is_valid ? new (std::nothrow) T : nullptr;
        if (made && ::pthread_setspecific(key.key, made) == 0)
            mine = made;
        else
            delete made;
    }
    static void discard(void* object) noexcept {
        mine = nullptr;
        delete static_cast<T*>(object);
    }

    static constinit inline thread_local T* mine = nullptr;
};

}  // namespace weir

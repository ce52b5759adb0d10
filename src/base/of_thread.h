#pragma once

#include <pthread.h>

#include <new>

namespace weir {

/// An object that each thread has for itself, made at its first use and deleted when the thread ends.
///
/// A `thread_local` object with a destructor won't do: where glibc has no memory to register the
/// destructor, it ends the process (__cxa_thread_atexit_impl).
template <typename T>
class OfThread {
   public:
    /// Null where there is no memory for it.
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

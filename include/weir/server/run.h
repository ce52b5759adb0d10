#pragma once

#include <memory>

#include "weir/web/awaited.h"
#include "weir/web/task.h"

namespace weir::server {

namespace detail {

/// The loop of a thread that runs one coroutine: for run(), not for programs.
class TaskLoop {
   public:
    /// Throws std::bad_alloc, and std::system_error if the system has no descriptor left.
    TaskLoop();
    /// Ends the coroutine, waits for the threads that still use its objects, and closes the
    /// connections.
    ~TaskLoop();
    TaskLoop(const TaskLoop&) = delete;
    TaskLoop& operator=(const TaskLoop&) = delete;

    /// The runner adopts the coroutine before run().
    web::detail::Runner& runner() noexcept;
    /// Returns when the coroutine has ended. Throws std::bad_alloc.
    void run();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace detail

/// Runs a coroutine without a server, on the calling thread, until it ends. Returns its value, or
/// throws its exception.
///
///     web::Client client;
///     auto fetch = [&client]() -> web::Task<std::string> {
///         auto response = co_await client.get("http://example.org/");
///         co_return co_await response.all();
///     };
///     std::cout << server::run(fetch());
///
/// The thread sleeps in one poll(2) until the coroutine can go on: for the connections that it has
/// opened, for its times, and for other threads. All that a coroutine may await is there, but for
/// the content of a request. The coroutine ends in no other way: a program that waits for something
/// uncertain takes with_timeout(), or a Flag beside it in when_any().
///
/// The connections of a web::Client end with run(). After that, the content of a response that was
/// not complete throws ClientError. The client may be used again, by the next run() or by other
/// threads. As many connections are open at the same time as the process may have descriptors;
/// further requests fail as `unreachable`. ClientOptions::connections_max has them wait. If poll(2)
/// fails, run() calls it again, a few milliseconds later.
///
/// Any thread may call, several at the same time. In a handler, it would stop the thread of an
/// engine, and all connections of that thread with it: a handler returns a Task instead.
///
/// Throws std::logic_error if the task is empty or was awaited, std::system_error if the system has
/// no descriptor left to begin, and std::bad_alloc if the loop itself has no memory. run() then
/// returns as after an exception of the coroutine: its objects are destroyed, once no other thread
/// uses them (see web::offload()).
template <typename Value>
Value run(web::Task<Value> task) {
    static_cast<void>(task.awaited());
    detail::TaskLoop loop;
    const auto frame = task.release();
    loop.runner().adopt(frame);
    loop.run();
    return frame.promise().take();
}

}  // namespace weir::server

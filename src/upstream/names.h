#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "net/address.h"
#include "upstream/look_up.h"
#include "upstream/target.h"
#include "weir/base/instant.h"
#include "weir/http/handler.h"

namespace weir::upstream {

class Name;

/// Look-ups of names beside the engines, on a thread that lives as long as there are some: one may
/// take seconds, and can't be ended. Thread-safe.
class LookUps : public std::enable_shared_from_this<LookUps> {
   public:
    /// Addresses that are older are looked up again for a new connection.
    using Age = std::chrono::milliseconds;
    /// Told that the servers of a URL have other addresses.
    using Changed = std::function<void(const std::string& url, std::span<const net::Address>)>;

    /// The least time from one look-up of a name to the next.
    static constexpr std::chrono::seconds pause{1};

    LookUps(LookUp by, Age age_max, Changed changed)
        : by_{std::move(by)}, age_max_{age_max}, changed_{std::move(changed)} {}

    const LookUp& by() const noexcept { return by_; }
    /// A look-up under way goes on, and nobody hears of its end.
    void stop() noexcept;

   private:
    friend class Name;

    bool begin(Name& name, Instant now);
    void run() noexcept;
    std::shared_ptr<Name> next() noexcept;
    void work(Name& name) noexcept;
    void adopt(Name& name, std::span<const net::Address> found) noexcept;
    void end(Name& name, std::span<const net::Address> found) noexcept;

    const LookUp by_;
    const Age age_max_;
    const Changed changed_;
    std::mutex mutex_;  // of all names, too
    std::deque<std::shared_ptr<Name>> queue_;
    bool is_running_ = false;
    bool is_stopped_ = false;
};

/// Tells that the name in a URL could not be looked up.
void tell_operator(const std::string& url, const std::string& why);

/// The addresses of a server's name, which change while the server is in use: they are looked up
/// again (LookUps). Thread-safe.
class Name : public std::enable_shared_from_this<Name> {
   public:
    /// The target has been looked up at that time; without addresses, in vain.
    Name(std::shared_ptr<LookUps> by, const Target& target, Instant looked_up_at);

    /// For a new connection. Of addresses that are old, a look-up begins, and they are used until
    /// it has ended.
    std::vector<net::Address> addresses(Instant now);

    /// The choice after a connection to none of the addresses could be made.
    enum class Again : std::uint8_t {
        no,     // there are no others
        later,  // a look-up is under way: `waiter` is woken at its end
        now,    // the last look-up has brought others
    };
    /// Begins a look-up, unless one is under way or began less than LookUps::pause ago.
    Again ask(Instant now, const http::Waker* waiter = nullptr);
    /// After ask(), which has returned `later`.
    Again outcome() noexcept;

   private:
    friend class LookUps;

    const std::shared_ptr<LookUps> by_;
    const std::string url_;
    const std::string name_;
    const std::uint16_t port_;

    // LookUps has their lock.
    std::vector<net::Address> addresses_;
    Instant asked_at_;
    std::vector<http::Waker> waiting_;
    bool is_under_way_ = false;
    bool has_changed_ = false;  // the last look-up has brought other addresses
    bool has_failed_ = false;   // the last look-up
};

}  // namespace weir::upstream

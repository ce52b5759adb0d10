#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "weir/web/await.h"
#include "weir/web/part.h"
#include "weir/web/refusal.h"
#include "weir/web/response.h"

namespace weir::web {

/// with_timeout() throws it. As a Refusal, it is the response, if the coroutine does not catch it.
class TimedOut : public Refusal {
   public:
    TimedOut() : Refusal{Status::service_unavailable, "The server took too long to answer"} {}
};

namespace detail {

/// Waits for some objects of one expression.
template <typename... Awaitables>
class Together : public Parts {
   public:
    explicit Together(Until until, Awaitables&&... awaitables)
        : Parts{until}, own_{std::forward<Awaitables>(awaitables)...} {}

   protected:
    ~Together() = default;
    template <std::size_t index>
    auto result() {
        return std::get<index>(own_).result();
    }
    /// The same as a value.
    template <std::size_t index>
    auto stored() {
        if constexpr (std::is_void_v<decltype(result<index>())>)
            return result<index>(), std::monostate{};
        else
            return result<index>();
    }

   private:
    using Own = std::tuple<typename PartOf<Awaitables>::Type...>;
    using Pointers = std::array<Part*, sizeof...(Awaitables)>;

    Part& part(std::size_t index) const noexcept override { return *pointers_[index]; }
    std::size_t count() const noexcept override { return pointers_.size(); }

    Own own_;
    Pointers pointers_ = std::apply([](auto&... own) { return Pointers{&own...}; }, own_);
};

template <typename... Awaitables>
class [[nodiscard("when_any() does nothing without co_await")]] WhenAny final
    : public Together<Awaitables...> {
   public:
    using Result = std::variant<Stored<typename PartOf<Awaitables>::Type::Result>...>;

    explicit WhenAny(Awaitables&&... awaitables)
        : Together<Awaitables...>{Parts::Until::first, std::forward<Awaitables>(awaitables)...} {}
    Result await_resume() { return result_of(std::index_sequence_for<Awaitables...>{}); }

   private:
    /// The result of the part that was over first, as the alternative of its index.
    template <std::size_t... indexes>
    Result result_of(std::index_sequence<indexes...> /*all*/) {
        std::optional<Result> found;
        static_cast<void>(
            ((this->first() == indexes &&
              (found.emplace(std::in_place_index<indexes>, this->template stored<indexes>()),
               true)) ||
             ...));
        return std::move(*found);
    }
};

template <typename... Awaitables>
class [[nodiscard("when_all() does nothing without co_await")]] WhenAll final
    : public Together<Awaitables...> {
   public:
    using Result = std::tuple<Stored<typename PartOf<Awaitables>::Type::Result>...>;

    explicit WhenAll(Awaitables&&... awaitables)
        : Together<Awaitables...>{Parts::Until::all, std::forward<Awaitables>(awaitables)...} {}
    Result await_resume() { return results(std::index_sequence_for<Awaitables...>{}); }

   private:
    template <std::size_t... indexes>
    Result results(std::index_sequence<indexes...> /*all*/) {
        this->rethrow();  // the others have no results then
        return Result{this->template stored<indexes>()...};
    }
};

template <typename Awaitable>
class [[nodiscard("with_timeout() does nothing without co_await")]] WithTimeout final
    : Held<Sleep>,
      public Together<Awaitable, Sleep> {
   public:
    using Result = typename PartOf<Awaitable>::Type::Result;

    WithTimeout(std::chrono::milliseconds time, Awaitable&& awaitable)
        : Held<Sleep>{Sleep{time}},
          Together<Awaitable, Sleep>{Parts::Until::first, std::forward<Awaitable>(awaitable),
                                     std::move(this->held)} {}
    std::decay_t<Result> await_resume() {
        if (this->first() == 1) throw TimedOut{};
        return this->template result<0>();
    }
};

}  // namespace detail

/// `co_await when_any(a, b, ...)`: returns when the first of them is ready: a std::variant, whose
/// index names it, with its result, or a std::monostate for none. Of several that are ready at once,
/// the first of the list counts. The others end where they wait, and lose nothing: a message that
/// was not received stays for the next receive(). A coroutine among them ends as if its request had
/// ended. The work of offload() and of foreign awaiters can't end early, so when_any() waits for
/// their threads. A piece of a stream or a message that was partly sent is completed.
///
/// While a peer reads nothing, no coroutine of its request runs, and no time limit either:
/// http::Timeouts::transmit ends such a connection.
template <typename First, typename... More>
auto when_any(First&& first, More&&... more) {
    return detail::WhenAny<First, More...>{std::forward<First>(first), std::forward<More>(more)...};
}

/// `co_await when_all(a, b, ...)`: waits for all of them. Returns a std::tuple of their results,
/// with a std::monostate for none. If one throws, the others end as with when_any(), and the
/// exception is thrown.
template <typename First, typename... More>
auto when_all(First&& first, More&&... more) {
    return detail::WhenAll<First, More...>{std::forward<First>(first), std::forward<More>(more)...};
}

/// `co_await with_timeout(5s, socket.receive())`: the result. Throws TimedOut if the wait takes
/// longer, by the clock of the connection's engine, and ends it as when_any() does.
template <typename Awaitable>
auto with_timeout(std::chrono::milliseconds time, Awaitable&& awaitable) {
    return detail::WithTimeout<Awaitable>{time, std::forward<Awaitable>(awaitable)};
}

}  // namespace weir::web

#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/web/call.h"
#include "weir/web/middleware.h"
#include "weir/web/next.h"
#include "weir/web/response.h"
#include "weir/web/task.h"

/// Functions as middleware: for Routes::use(), not for programs.
namespace weir::web::detail {

/// Middleware that has the rest of the request's way within it.
class Around : public Middleware {
   public:
    virtual Task<Response> start(Call call, Next next) = 0;
    Around* around() noexcept final { return this; }
};

template <typename Function>
struct AroundFunction final : Around {
    explicit AroundFunction(Function&& own) : function{std::move(own)} {}
    Task<Response> start(Call call, Next next) override {
        return function(std::move(call), std::move(next));
    }
    std::string_view name() const noexcept override { return "a function around"; }
    Function function;
};

template <typename Function>
struct BeforeFunction final : Middleware {
    explicit BeforeFunction(Function&& own) : function{std::move(own)} {}
    std::optional<Response> before(const Call& call) override {
        if constexpr (std::is_void_v<std::invoke_result_t<Function&, const Call&>>) {
            function(call);
            return std::nullopt;
        } else {
            return function(call);
        }
    }
    std::string_view name() const noexcept override { return "a function before"; }
    Function function;
};

template <typename Function>
struct AfterFunction final : Middleware {
    explicit AfterFunction(Function&& own) : function{std::move(own)} {}
    void after(const Call& call, Response& response) override { function(call, response); }
    std::string_view name() const noexcept override { return "a function after"; }
    Function function;
};

template <typename Function>
std::shared_ptr<Middleware> around_with(Function function) {
    constexpr bool is_task =
        std::same_as<std::invoke_result_t<Function&, Call, Next>, Task<Response>>;
    static_assert(is_task, "middleware that takes Call and Next returns Task<Response>");
    if constexpr (is_task)
        return std::make_shared<AroundFunction<Function>>(std::move(function));
    else
        return nullptr;  // not compiled: see above. This keeps the compiler from saying more
}

template <typename Function>
std::shared_ptr<Middleware> before_with(Function function) {
    using Result = std::invoke_result_t<Function&, const Call&>;
    constexpr bool may_answer =
        std::is_void_v<Result> || std::same_as<Result, std::optional<Response>>;
    static_assert(
        may_answer,
        "middleware that takes const Call& returns std::optional<Response>, where nothing "
        "lets the request pass, or returns nothing at all");
    if constexpr (may_answer)
        return std::make_shared<BeforeFunction<Function>>(std::move(function));
    else
        return nullptr;
}

template <typename Function>
std::shared_ptr<Middleware> middleware_of(Function function) {
    constexpr bool is_around = std::invocable<Function&, Call, Next>;
    constexpr bool is_after = std::invocable<Function&, const Call&, Response&>;
    constexpr bool is_before = std::invocable<Function&, const Call&>;
    static_assert(is_around || is_after || is_before,
                  "middleware is a function of (Call, Next), (const Call&) or (const Call&, "
                  "Response&)");
    if constexpr (is_around)
        return around_with(std::move(function));
    else if constexpr (is_after)
        return std::make_shared<AfterFunction<Function>>(std::move(function));
    else if constexpr (is_before)
        return before_with(std::move(function));
    else
        return nullptr;
}

}  // namespace weir::web::detail

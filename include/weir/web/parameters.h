#pragma once

#include <coroutine>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "weir/base/requires_cxx23.h"

namespace weir::web {

template <typename Value>
class Task;

namespace detail {

template <typename Value>
struct Promise;

template <typename Type>
constexpr bool is_view = false;
template <typename Char, typename Traits>
constexpr bool is_view<std::basic_string_view<Char, Traits>> = true;
template <typename Element, std::size_t size>
constexpr bool is_view<std::span<Element, size>> = true;

template <typename Type>
constexpr bool is_text = is_view<Type>;
template <typename Char, typename Traits, typename Allocator>
constexpr bool is_text<std::basic_string<Char, Traits, Allocator>> = true;

/// A coroutine goes on after the expression that called it. A temporary that a parameter only refers
/// to is gone by then.
template <typename Parameter>
constexpr bool may_be_gone =
    is_view<std::remove_cvref_t<Parameter>> || std::is_rvalue_reference_v<Parameter> ||
    (std::is_lvalue_reference_v<Parameter> && std::is_const_v<std::remove_reference_t<Parameter>>);

/// The first one may be the object itself: a closure, or that of a member function.
template <typename Parameter>
constexpr bool may_be_object =
    std::is_lvalue_reference_v<Parameter> && std::is_class_v<std::remove_cvref_t<Parameter>> &&
    !is_text<std::remove_cvref_t<Parameter>>;

/// The compiler's message names the parameter's type behind "[with Parameter = ".
template <typename Parameter, bool is_first>
struct CheckedParameter {
    static_assert(
        !may_be_gone<Parameter> || (is_first && may_be_object<Parameter>),
        "this parameter of a coroutine refers to what may be gone when the coroutine goes "
        "on: take it by value (a std::string for a view), or by a reference that is not "
        "const");
};

template <typename... Parameters>
constexpr bool are_checked = true;
template <typename First, typename... More>
constexpr bool are_checked<First, More...> =
    (sizeof(CheckedParameter<First, true>) + ... + sizeof(CheckedParameter<More, false>)) != 0;

}  // namespace detail
}  // namespace weir::web

template <typename Value, typename... Parameters>
struct std::coroutine_traits<weir::web::Task<Value>, Parameters...> {
    using promise_type = weir::web::detail::Promise<Value>;
    static_assert(weir::web::detail::are_checked<Parameters...>);
};

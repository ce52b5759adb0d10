#pragma once

#include "http/head/head_states.h"
#include "http/syntax/fault.h"
#include "weir/http/head_index.h"

namespace weir::http {

/// The position of a request-target in its head. Functions take it by value, so that the parser's
/// own pointers stay in registers.
struct TargetPosition {
    const char* head;
    const char* mark;  // where the authority or the query began
    const char* at;    // the byte that the action is for
};

struct TargetStep {
    Fault fault;
    const char* mark;
};

/// Does the actions of all target forms but the plain path and query: fills the index, and checks
/// that the method allows the form (RFC 9112 3.2).
TargetStep act_on_target(Action action, HeadIndex& index, TargetPosition position) noexcept;

}  // namespace weir::http

#pragma once

#include <cstdlib>
#include <span>

#include "engines/contract/host.h"

namespace weir::engines {

/// What is lent to an engine, as far as a part of one needs it: no protocol and no handler.
struct BareHost {
    explicit BareHost(std::span<net::Listener> listeners = {})
        : host{.listeners = listeners,
               .handler = handler,
               .limits = limits,
               .timeouts = timeouts,
               .observer = nullptr,
               .stop = stop,
               .options = {},
               .connect = {}} {}

    struct NoHandler final : http::Handler {
        http::Reply handle(const http::Request&) override { std::abort(); }
    } handler;
    http::Limits limits;
    http::Timeouts timeouts;
    net::StopSignal stop;
    Host host;
};

}  // namespace weir::engines

#pragma once

#include <string>

#include "http/layer.h"
#include "weir/server/log.h"

namespace weir::server {

/// Renews a layer when that asks for it, and tells the operator.
class Renewals {
   public:
    /// Both must outlive it.
    Renewals(http::Layer& layer, Log& log) noexcept : layer_{layer}, log_{log} {}

    /// Call renew() once fd() is readable. True if something was renewed, for the connections and
    /// the processes that are made from now on. Call tell() when no earlier process accepts
    /// connections any more: scripts wait for that line.
    int fd() const noexcept { return layer_.renewal_fd(); }
    bool renew() noexcept;
    void tell() noexcept;

   private:
    http::Layer& layer_;
    Log& log_;
    std::string renewed_;  // the sentence for the operator; empty: he was told
};

}  // namespace weir::server

#pragma once

#include <string>

#include "http/layer.h"
#include "weir/server/log.h"

namespace weir::server {

/// Renews a layer when the layer asks for it, and reports this to the operator.
class CertificateReloader {
   public:
    /// Both must outlive the reloader.
    CertificateReloader(http::Layer& layer, Log& log) noexcept : layer_{layer}, log_{log} {}

    /// Call renew() when fd() is readable. It returns true if something was renewed for later
    /// connections and processes. Call tell() when no older process accepts connections, because
    /// scripts wait for that line.
    int fd() const noexcept { return layer_.renewal_fd(); }
    bool renew() noexcept;
    void tell() noexcept;

   private:
    http::Layer& layer_;
    Log& log_;
    std::string renewed_;  // the sentence for the operator; empty: nothing to report
};

}  // namespace weir::server

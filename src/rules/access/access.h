#pragma once

#include <utility>
#include <vector>

#include "rules/access/network.h"
#include "rules/request_path.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Lets a network in, or keeps it out, at some paths.
struct AccessRule {
    Paths paths;
    Network network;
    bool allows = true;
};

/// Answers 403 to those who may not ask. Of the rules for a path that contain the peer, the one with
/// the smallest network decides; of two equal ones, that which denies. If none contains the peer, it
/// may ask, unless some rule for the path allows others.
class Access final : public http::Handler {
   public:
    /// `inner` must outlive it.
    Access(std::vector<AccessRule> rules, http::Handler& inner)
        : rules_{std::move(rules)}, inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

    bool lets(const Peer& peer, const RequestPath& path) const;

   private:
    const std::vector<AccessRule> rules_;
    http::Handler& inner_;
};

}  // namespace weir::rules

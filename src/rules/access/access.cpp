#include "rules/access/access.h"

#include <utility>

namespace weir::rules {

http::Reply Access::handle(const http::Request& request) {
    if (!lets(Peer::of(request), RequestPath{request.path()}))
        return http::error_response(http::Status::forbidden);
    return inner_.handle(request);
}

bool Access::lets(const Peer& peer, const RequestPath& path) const {
    bool allows_others = false;
    const AccessRule* decides = nullptr;
    for (const AccessRule& rule : rules_) {
        if (!rule.paths.contain(path)) continue;
        allows_others = allows_others || rule.allows;
        if (!rule.network.contains(peer)) continue;
        const bool is_closer = decides == nullptr ||
                               rule.network.bits() > decides->network.bits() ||
                               (rule.network.bits() == decides->network.bits() && !rule.allows);
        if (is_closer) decides = &rule;
    }
    return decides != nullptr ? decides->allows : !allows_others;
}

}  // namespace weir::rules

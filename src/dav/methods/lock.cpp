#include "dav/locks/lock.h"

#include <algorithm>
#include <utility>

#include "dav/methods/methods.h"
#include "dav/methods/removal.h"
#include "dav/properties/live_properties.h"
#include "dav/request/body.h"
#include "dav/request/fault.h"
#include "dav/xml/escaped.h"
#include "upload/faults.h"

namespace weir::dav {
namespace {

using http::Response;
using http::Status;
using web::Refusal;

Response response_with(const Visit& visit, const std::vector<Lock>& locks, Status status) {
    std::string inside{"<D:lockdiscovery>"};
    append_active_locks(inside, locks, visit.asked().roots());
    return xml_response(status, document("prop", inside + "</D:lockdiscovery>"));
}

std::chrono::seconds time_for(const Visit& visit) {
    return parse_timeout(visit.asked().timeout, visit.desk().options.lock_time_max);
}

/// RFC 4918 9.10.2: the field If says which lock.
Response refreshed(const Visit& visit) {
    const Asked& asked = visit.asked();
    const auto& tokens = asked.holder.tokens;
    if (tokens.size() != 1)
        throw Refusal{Status::bad_request,
                      "A LOCK without content refreshes the one lock that If names"};
    const auto held = visit.lock();
    visit.need_conditions();
    auto lock = visit.desk().locks.find(tokens.front(), asked.path, Visit::now());
    if (!lock) throw Refusal{Status::precondition_failed, "There is no such lock"};
    if (lock->user != asked.holder.user)
        throw Refusal{Status::forbidden, "The lock is of another user"};
    lock->time = time_for(visit);
    visit.desk().locks.refresh(lock->token, lock->time, Visit::now());
    return response_with(visit, {*lock}, Status::ok);
}

Lock wanted(const Visit& visit, LockAsked wishes) {
    const Asked& asked = visit.asked();
    if (asked.depth == Depth::one)
        throw Refusal{Status::bad_request, "A lock has a depth of 0 or infinity"};
    return {.token = new_lock_token(),
            .path = asked.path,
            .owner = std::move(wishes.owner),
            .user = asked.holder.user,
            .is_exclusive = wishes.is_exclusive,
            .is_infinite = asked.depth != Depth::none,
            .is_folder = visit.seen().kind == Tree::Kind::folder,
            .time = time_for(visit)};
}

/// Adds the lock, or returns those that do not allow it. Needs the mutex.
std::vector<Lock> added(const Visit& visit, const Lock& lock) {
    auto others = conflicting(visit.desk().locks, lock, Visit::now());
    if (others.empty() && !visit.desk().locks.add(lock, Visit::now()))
        throw Refusal{Status::insufficient_storage,
                      "The server has no room for this lock: there are 1,000, or its path or its "
                      "owner has more than 1,024 bytes"};
    return others;
}

/// RFC 4918 9.10.6: those below are named in a 207.
Response refused(const Visit& visit, const std::vector<Lock>& others) {
    const Asked& asked = visit.asked();
    std::vector<Failure> below;
    std::string condition{"<D:no-conflicting-lock>"};
    for (const Lock& each : others) {
        append_href(condition, asked.href(each.path, each.is_folder));
        if (each.path.size() > asked.path.size())
            below.push_back({.path = each.path, .is_folder = each.is_folder, .status = locked});
    }
    condition += "</D:no-conflicting-lock>";
    if (below.empty()) return error(locked, condition);
    below.push_back({.path = asked.path, .is_folder = true, .status = failed_dependency});
    return failed(asked, below);
}

/// Makes the empty file that RFC 4918 7.3 wants for a name that is free. It gets its name and its
/// lock together.
std::vector<Lock> made_with(const Visit& visit, const Lock& lock) {
    need_name(visit, lock.path);
    std::vector<Lock> others;
    bool has_lock = false;
    const auto look = [&](const upload::Naming& naming) {
        visit.rights().need_as_member(naming.path);
        others = conflicting(visit.desk().locks, lock, Visit::now());
        if (!others.empty()) throw Fault{locked, "It is locked", {}};
        if (naming.file < 0) return;
        others = added(visit, lock);
        has_lock = true;
    };
    upload::Conditions conditions;
    conditions.look_further(look);
    const upload::Target target = target_of(lock.path);
    try {
        auto begun = visit.desk().store->begin(target, conditions, 0, visit.tree().root());
        static_cast<void>(visit.desk().store->finish(begun, target, conditions, 0));
    } catch (const Fault&) {
        return others;
    } catch (...) {
        const auto held = visit.lock();
        if (has_lock) visit.desk().locks.remove(lock.token);
        throw;
    }
    return others;
}

Response with_token(Response response, const std::string& token) {
    response.add("Lock-Token", "<" + token + ">");
    return response;
}

}  // namespace

Response lock(const Visit& visit) {
    auto wishes = read_lock(visit.asked().body);
    visit.need_lockable();
    if (!wishes) return refreshed(visit);
    const Lock lock = wanted(visit, std::move(*wishes));
    const bool is_new = !visit.seen().is_there();
    std::vector<Lock> others;
    {
        const auto held = visit.lock();
        visit.need_conditions();
        if (!is_new) others = added(visit, lock);
    }
    if (is_new) others = made_with(visit, lock);
    if (!others.empty()) return refused(visit, others);
    return with_token(response_with(visit, {lock}, is_new ? Status::created : Status::ok),
                      lock.token);
}

Response unlock(const Visit& visit) {
    const Asked& asked = visit.asked();
    const auto token = parse_lock_token(asked.lock_token);
    if (!token) throw Refusal{Status::bad_request, "The field Lock-Token is missing or malformed"};
    visit.need_lockable();
    const auto held = visit.lock();
    visit.need_conditions();
    const auto lock = visit.desk().locks.find(*token, asked.path, Visit::now());
    if (!lock)
        throw Fault{Status::conflict, "There is no such lock",
                    "<D:lock-token-matches-request-uri/>"};
    if (lock->user != asked.holder.user)
        throw Refusal{Status::forbidden, "The lock is of another user"};
    visit.desk().locks.remove(*token);
    return Response{Status::no_content};
}

}  // namespace weir::dav

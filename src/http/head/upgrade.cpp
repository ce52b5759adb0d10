#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"
#include "weir/http/tunnel.h"

namespace weir::http {
namespace {

bool lists(const Request& request, FieldName name, std::string_view wanted) noexcept {
    bool is_listed = false;
    request.each(name, [&](std::string_view line) {
        for_each_member(line, [&](std::string_view member) {
            is_listed = is_listed || equals_ignoring_case(member, wanted);
        });
    });
    return is_listed;
}

}  // namespace

bool can_upgrade(const Request& request, std::string_view protocol) noexcept {
    const bool is_1_0 = request.major_version() == 1 && request.minor_version() == 0;
    return !is_1_0 && !request.content_pending() && request.method() == Method::get &&
           lists(request, FieldName::connection, "upgrade") &&
           lists(request, FieldName::upgrade, protocol);
}

}  // namespace weir::http

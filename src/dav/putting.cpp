#include "dav/putting.h"

#include <cerrno>

#include "dav/methods/visit.h"
#include "dav/properties/kept.h"
#include "upload/faults.h"

namespace weir::dav {
namespace {

void need_rights(const Rights& rights, const upload::Naming& naming) {
    if (naming.replaces)
        rights.need(naming.path);
    else
        rights.need_as_member(naming.path);
}

void keep_properties(const Tree& tree, const upload::Naming& naming) {
    if (!naming.replaces || naming.file < 0) return;
    const DeadProperties properties = read_properties(tree.open(naming.path, false).get());
    if (properties.all().empty()) return;
    const int error = write_properties(naming.file, properties);
    if (error != 0 && error != ENOTSUP) throw upload::refusal_of(error);
}

}  // namespace

upload::Conditions conditions_of_put(Desk& desk, const Asked& asked) {
    upload::Conditions conditions = asked.conditions;
    conditions.let_replace();
    conditions.look_further([&desk, &asked](const upload::Naming& naming) {
        const Visit visit{desk, asked};
        if (asked.condition) visit.need_conditions();
        need_rights(visit.rights(), naming);
        keep_properties(visit.tree(), naming);
    });
    return conditions;
}

upload::FurtherLook look_at_forms(Desk& desk) {
    return [&desk](const upload::Naming& naming) {
        const Rights::Holder nobody;
        need_rights({desk.locks, nobody, Visit::now()}, naming);
    };
}

}  // namespace weir::dav

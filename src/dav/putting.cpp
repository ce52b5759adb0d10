#include "dav/putting.h"

#include "dav/methods/visit.h"
#include "dav/properties/kept.h"

namespace weir::dav {
namespace {

void keep_properties(const Tree& tree, const upload::Naming& naming) {
    if (!naming.replaces || naming.file < 0) return;
    copy_properties(tree.open(naming.path, false).get(), naming.file);
}

}  // namespace

upload::Conditions conditions_of_put(Desk& desk, const Asked& asked) {
    upload::Conditions conditions = asked.conditions;
    conditions.let_replace();
    conditions.look_further([&desk, &asked](const upload::Naming& naming) {
        const Visit visit{desk, asked};
        if (asked.condition) visit.need_conditions();
        visit.rights().need_for(naming);
        keep_properties(visit.tree(), naming);
    });
    return conditions;
}

upload::FurtherLook look_at_forms(Desk& desk) {
    return [&desk](const upload::Naming& naming) {
        const Rights::Holder nobody;
        Rights{desk.locks, nobody, Visit::now()}.need_for(naming);
    };
}

}  // namespace weir::dav

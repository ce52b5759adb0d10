#pragma once

#include "weir/access/passwords.h"

namespace weir::cli {

/// Who may see what is served.
struct AccessOptions {
    access::PasswordOptions passwords;  // no rules: nobody is asked
    bool passwords_over_plain = false;
};

}  // namespace weir::cli

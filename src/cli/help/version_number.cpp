#include "cli/help/version_number.h"

namespace weir::cli {

constinit const std::string_view version_number = WEIR_VERSION;

}  // namespace weir::cli

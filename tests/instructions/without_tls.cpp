#include "instructions/secure_path.h"
#include "instructions/served.h"

namespace weir::instructions {

int run_secure(std::string_view /*work*/, long /*count*/) { return left_out; }

}  // namespace weir::instructions

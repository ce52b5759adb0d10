#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/reload/generation.h"
#include "cli/reload/signals.h"
#include "cli/service/service.h"
#include "net/system/system_limits.h"

namespace weir::cli {
namespace {

int run_command(int count, char** arguments) {
    try {
        if (const auto exit_code = go_on_as_supervisor()) return *exit_code;
        attach_to_supervisor();
        attach_to_systemd();
        take_signals();
        return run(std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
    } catch (const std::system_error& error) {
        return fail(net::with_limit("weir", error.code()), error.what());
    } catch (const std::bad_alloc&) {
        const auto none = std::make_error_code(std::errc::not_enough_memory);
        return fail(net::with_limit("weir", none), none.message());
    } catch (const std::exception& exception) {
        return fail("weir", exception.what());
    }
}

}  // namespace
}  // namespace weir::cli

int main(int count, char** arguments) {
    using namespace weir::cli;
    const int exit_code = run_command(count, arguments);
    tell_failure(exit_code);
    return exit_code;
}

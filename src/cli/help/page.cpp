#include "cli/help/page.h"

#include <array>

namespace weir::cli {

std::string Page::full_name(char separator) const {
    std::string name = "weir";
    if (!command.empty()) (name += separator) += command;
    return name;
}

std::span<const Term> signals() {
    static constexpr std::array terms{
        Term{"SIGTERM, SIGINT (Ctrl-C)",
             "Stop accepting connections, finish the requests in progress, then end. A second one "
             "ends the server at once."},
        Term{"SIGUSR1", "Reopen the access log. Under prefork: replace all workers."},
        Term{"SIGHUP",
             "Reopen the access log, and read the certificates again. Under prefork: replace all "
             "workers. weir serve --config or --control: read the file, the certificates, the "
             "files of passwords and the root again, losing no request."},
        Term{"SIGUSR2",
             "weir serve --config or --control: go on with the program that is installed now, "
             "losing no request."},
    };
    return terms;
}

std::span<const Term> exit_codes(const Page& page) {
    static constexpr Term wrong{"2", "The command line or a variable is wrong."};
    static constexpr std::array of_a_server{
        Term{"0", "The server was stopped."},
        Term{"1", "The server failed: for example, the folder is missing or the port is taken."},
        wrong,
    };
    static constexpr std::array of_others{
        Term{"0", "Success."},
        Term{"1", "The command failed."},
        wrong,
    };
    return page.is_server ? std::span<const Term>{of_a_server} : of_others;
}

}  // namespace weir::cli

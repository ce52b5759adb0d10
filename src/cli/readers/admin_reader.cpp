#include "cli/readers/admin_reader.h"

#include <string>

#include "cli/commands/version.h"
#include "server/endpoint.h"

namespace weir::cli {
namespace {

Parsed<std::string> parse_admin(std::string_view text) {
    if (server::parse_endpoints(text, 0).size() == 1) return std::string{text};
    return std::unexpected{"'" + std::string{text} +
                           "' is not one address, such as 127.0.0.1:9000 or unix:/run/weir/admin"};
}

}  // namespace

void AdminReader::add() {
    reader_.group("Watching");
    server::AdminOptions& admin = options_.server.admin;
    admin.version = version_number;
    address_ =
        reader_.value("--admin", "ADDRESS", admin.address, parse_admin,
                      "Count what happens, and answer /metrics, /status, /livez and /readyz here: "
                      "127.0.0.1:9000, 9000, or unix:/path (by default, weir does not count)");
    reader_.flag("--admin-anywhere", admin.anywhere,
                 "Let --admin have an address that other machines can reach");
}

void AdminReader::finish() const {
    const server::AdminOptions& admin = options_.server.admin;
    if (admin.address.empty() || admin.anywhere || server::are_local({&admin.address, 1})) return;
    throw WrongUse{address_->given_by + ": other machines can reach " + admin.address +
                   ", and whoever can, may ask; add --admin-anywhere if that is wanted"};
}

}  // namespace weir::cli

#include "cli/trust/system_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/last_error.h"
#include "cli/trust/program.h"
#include "net/unique_fd.h"
#include "net/write_all.h"

namespace weir::cli {
namespace {

struct Distribution {
    const char* folder;
    const char* ending;
    std::array<const char*, 2> update;
    const char* after_removal;  // one more argument: links to a file that is gone stay without it
};

constexpr std::array distributions{
    // Fedora, RHEL
    Distribution{
        "/etc/pki/ca-trust/source/anchors", ".pem", {"update-ca-trust", "extract"}, nullptr},
    // Debian, Ubuntu, Alpine
    Distribution{
        "/usr/local/share/ca-certificates", ".crt", {"update-ca-certificates", nullptr}, "--fresh"},
    // Arch
    Distribution{
        "/etc/ca-certificates/trust-source/anchors", ".crt", {"trust", "extract-compat"}, nullptr},
    // openSUSE
    Distribution{
        "/usr/share/pki/trust/anchors", ".pem", {"update-ca-certificates", nullptr}, "--fresh"},
};

/// The reason of a failure, with the command of somebody who may do it.
std::string why(const std::error_code& error, const std::string& path, const LocalCa& ca,
                const char* option) {
    if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted)
        return std::string{"only root may change it: sudo weir trust "} + option + "--ca " +
               ca.file;
    return path + ": " + error.message();
}

}  // namespace

SystemStore::SystemStore(std::string folder, std::string ending, Command update, Command forget)
    : folder_{std::move(folder)},
      ending_{std::move(ending)},
      update_{std::move(update)},
      forget_{std::move(forget)} {}

std::unique_ptr<SystemStore> SystemStore::find() {
    for (const Distribution& each : distributions) {
        std::error_code error;
        if (!std::filesystem::is_directory(each.folder, error)) continue;
        Command update{each.update[0]};
        if (each.update[1]) update.emplace_back(each.update[1]);
        Command forget = update;
        if (each.after_removal) forget.emplace_back(each.after_removal);
        return std::unique_ptr<SystemStore>{
            new SystemStore{each.folder, each.ending, std::move(update), std::move(forget)}};
    }
    return nullptr;
}

std::string SystemStore::path_of(const LocalCa& ca) const {
    return folder_ + "/weir-" + ca.id + ending_;
}

TrustStore::Result SystemStore::add(const LocalCa& ca) const {
    const std::string path = path_of(ca);
    const net::UniqueFd file{::open(path.c_str(),
                                    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                                    S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)};
    if (!file) return std::unexpected{why(last_error(), path, ca, "")};
    if (!net::write_all(file.get(), ca.pem)) {
        const auto error = last_error();
        ::unlink(path.c_str());
        return std::unexpected{why(error, path, ca, "")};
    }
    ::fchmod(file.get(),
             S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);  // the umask may forbid others to read it
    return run(update_, "trusts it now: " + path);
}

TrustStore::Result SystemStore::remove(const LocalCa& ca) const {
    const std::string path = path_of(ca);
    if (::unlink(path.c_str()) != 0) {
        if (errno == ENOENT) return "does not have it";
        return std::unexpected{why(last_error(), path, ca, "--remove ")};
    }
    return run(forget_, "trusts it no longer");
}

TrustStore::Result SystemStore::run(const Command& command, std::string done) {
    const auto status = run_program(command);
    if (!status) return std::unexpected{status.error()};
    if (*status != 0)
        return std::unexpected{command[0] + " ended with status " + std::to_string(*status)};
    return done;
}

}  // namespace weir::cli

#include "cli/sites/servable.h"

#include <sys/stat.h>

namespace weir::cli {
namespace {

std::string kind_of(mode_t mode) {
    if (S_ISFIFO(mode)) return "is a pipe";
    if (S_ISSOCK(mode)) return "is a socket (--bind unix:PATH listens on one)";
    return "is a device";
}

std::string why_not_served(const std::string& root) {
    struct stat status{};
    if (::stat(root.c_str(), &status) != 0) return {};
    const std::string what = "cannot serve '" + root + "': ";
    if (S_ISDIR(status.st_mode) && status.st_nlink == 0) return what + "the folder was deleted";
    if (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)) return {};
    return what + "it " + kind_of(status.st_mode) + ", and neither a folder nor a regular file";
}

}  // namespace

std::string why_not_served(const site::Options& site, const std::vector<Secret>& secrets) {
    if (auto why = why_not_served(site.root); !why.empty()) return why;
    return exposed(secrets, site);
}

}  // namespace weir::cli

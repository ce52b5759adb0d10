#pragma once

#include <string>

namespace weir::cli {

/// The folder for data that programs of this user make (XDG Base Directory Specification); a unit
/// of systemd names a folder of its own. Empty if there is no such folder.
std::string state_folder();

inline constexpr const char* no_place_for_certificates =
    "there is no place for a certificate: set HOME or XDG_STATE_HOME";

/// The folder in it, with a slash at its end, that has a folder for each CA of ACME.
std::string acme_folders();

/// The certificate of tls::keep_local_ca() in that folder.
std::string local_ca_in(const std::string& folder);

}  // namespace weir::cli

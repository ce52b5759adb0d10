#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/systemd/passed_sockets.h"

namespace weir::cli {

/// True for the form of a passed socket: "fd:web" by its name, or "fd:3" by its number.
bool is_passed_form(std::string_view text);

/// Replaces each text of that form by the addresses of its sockets, and keeps the other texts. The
/// error is a sentence, without the option.
std::expected<std::vector<std::string>, std::string> with_passed_addresses(
    const std::vector<std::string>& texts, const supervisor::PassedSockets& passed);

/// Returns the addresses of all passed sockets. The error is a sentence.
std::expected<std::vector<std::string>, std::string> all_passed_addresses(
    const supervisor::PassedSockets& passed);

}  // namespace weir::cli

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option/option.h"

namespace weir::cli {

/// A term and its explanation.
struct Term {
    std::string_view name;
    std::string_view text;
};

struct Example {
    std::string_view command;  // may have several lines
    std::string_view text;
};

/// The content of the help, the man page and the completions of one command. Texts are plain ASCII;
/// an empty line separates paragraphs.
struct Page {
    std::string_view command;      // "serve"; empty: weir itself
    std::string_view summary;      // "serve a folder over HTTP"
    std::string_view usage;        // "[PATH] [option...]"
    std::string_view description;  // sentences
    std::string_view terms_title{};
    std::span<const Term> terms{};
    std::span<const Example> examples{};
    /// True if the command runs a server: its options have environment variables, and it handles
    /// signals.
    bool is_server = false;
    /// The long names of the options that the help shows; empty: all. --help-all also shows the
    /// others.
    std::span<const std::string_view> first_options{};
    std::vector<Option> options{};

    /// "weir serve"
    std::string full_name(char separator = ' ') const;
};

std::span<const Term> signals();
std::span<const Term> exit_codes(const Page& page);

}  // namespace weir::cli

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace weir::cli {

/// Help as one screen's width has it: options by group, their texts wrapped beside them.
class HelpFormatter final : public CLI::Formatter {
   public:
    explicit HelpFormatter(std::string usage) : usage_{std::move(usage)} {}

    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_positionals(const CLI::App* app) const override;
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;

   private:
    std::string usage_;  // which names the positionals
};

}  // namespace weir::cli

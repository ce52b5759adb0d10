#pragma once

#include <CLI/CLI.hpp>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/no_options.h"
#include "cli/quantities.h"

namespace weir::cli {

/// Options whose text a function of quantities.h reads, and that a variable stands in for:
/// --some-name is WEIR_SOME_NAME, for every option alike. CLI11 has variables of its own, but does
/// not say in a message that the fault is in one.
class OptionReader {
   public:
    OptionReader(std::string description, std::string name)
        : app{std::move(description), std::move(name)} {}

    /// Where several are given the last one counts, so that a script's may be overruled.
    template <typename Target, typename Parse>
    CLI::Option* value(const std::string& names, const char* value_name, Target& target,
                       Parse parse, const std::string& help) {
        const auto read = [&target, parse, name = long_name(names)](const std::string& text) {
            target = static_cast<Target>(checked(name, parse(text)));
        };
        return app.add_option_function<std::string>(names, read, help)
            ->option_text(value_name)
            ->take_last();
    }

    /// May be given several times; in its variable, one a line.
    template <typename Target, typename Parse>
    CLI::Option* values(const std::string& names, const char* value_name,
                        std::vector<Target>& target, Parse parse, const std::string& help) {
        const auto read = [&target, parse,
                           name = long_name(names)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) target.push_back(checked(name, parse(text)));
        };
        return app.add_option_function<std::vector<std::string>>(names, read, help)
            ->option_text(value_name)
            ->allow_extra_args(false)
            ->delimiter('\n');
    }

    /// May be given several times, with a value or without: "--cors", "--cors=https://example.org".
    /// Without a value, or with 1 in its variable, the value is `left_out`; 0 there means none. The
    /// next argument is the value only if it looks like an origin, so that a PATH may follow.
    template <typename Target, typename Parse>
    CLI::Option* optional_values(const std::string& names, const char* value_name,
                                 std::vector<Target>& target, Parse parse, std::string left_out,
                                 const std::string& help) {
        const std::string name = long_name(names);
        optional_.push_back(name);
        const auto read = [&target, parse, name,
                           left_out = std::move(left_out)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
                if (text != "0" && text != "false")
                    target.push_back(
                        checked(name, parse(text == "1" || text == "true" ? left_out : text)));
        };
        return app.add_option_function<std::vector<std::string>>(names, read, help)
            ->option_text(value_name)
            ->allow_extra_args(false)
            ->delimiter('\n');
    }

    CLI::Option* flag(const std::string& names, bool& target, const std::string& help) {
        return app.add_flag(names, target, help);
    }

    /// Several ways to say one thing: one of them on the command line, and the variables of the
    /// others are not looked at.
    void alternatives(std::vector<const CLI::Option*> options) {
        alternatives_ = std::move(options);
    }

    /// The command line, then the variables of the options that it does not give, then `finish`,
    /// which may throw CLI::ParseError for what an option alone cannot know.
    std::expected<void, NoOptions> read(std::vector<std::string> arguments,
                                        const std::function<void()>& finish);

    CLI::App app;

   private:
    void join_optional_values(std::vector<std::string>& arguments) const;
    void read_texts(std::vector<std::string> arguments);
    bool is_said(const CLI::Option& option) const;

    /// How messages call it: by the long name, or by that of a positional.
    static std::string long_name(const std::string& names) {
        const auto dashes = names.find("--");
        return dashes == std::string::npos ? names : names.substr(dashes);
    }

    template <typename Value>
    static Value checked(const std::string& name, Parsed<Value> value) {
        if (!value) throw CLI::ValidationError{name, value.error()};
        return std::move(*value);
    }

    std::vector<std::string> optional_;  // options whose value may be left out
    std::vector<const CLI::Option*> alternatives_;
};

}  // namespace weir::cli

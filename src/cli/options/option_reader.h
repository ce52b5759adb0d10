#pragma once

#include <deque>
#include <expected>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/help/page.h"
#include "cli/options/no_options.h"
#include "cli/options/quantities.h"
#include "cli/options/wrong_use.h"

namespace weir::cli {

/// The options of a command. Each option has a function (see quantities.h) that parses its text,
/// and an environment variable: WEIR_SOME_NAME for --some-name.
class OptionReader {
    using Texts = std::vector<std::string>;
    /// `name` says where the texts come from, for messages: "--port" or "WEIR_PORT".
    using Read = std::function<void(const std::string& name, const Texts& texts)>;

   public:
    /// An option that was added.
    struct Added {
        Option option;
        Read read;
        bool repeats = false;
        std::size_t times = 0;  // how often it was given, on the command line or by its variable
        std::string given_by;   // "--port" or "WEIR_PORT", for messages

        std::size_t count() const { return times; }
    };

    /// `page` has no options yet.
    explicit OptionReader(Page page) : page_{std::move(page)} {}
    OptionReader(const OptionReader&) = delete;
    OptionReader& operator=(const OptionReader&) = delete;

    /// Begins a group. The options that are added next belong to it.
    void group(std::string name) { group_ = std::move(name); }

    /// If the option is repeated, the last one wins, so that a user can override a script's option.
    /// In `value_name`, FILE, PATH, ENGINE and words in lower case tell a shell which values to
    /// offer.
    template <typename Target, typename Parse>
    const Added* value(const std::string& names, const char* value_name, Target& target,
                       Parse parse, const std::string& help) {
        const auto read = [&target, parse](const std::string& name, const Texts& texts) {
            target = static_cast<Target>(checked(name, parse(texts.back())));
        };
        return &add(names, value_name, help, read);
    }

    /// The option can be repeated; its variable has one value per line.
    template <typename Target, typename Parse>
    const Added* values(const std::string& names, const char* value_name,
                        std::vector<Target>& target, Parse parse, const std::string& help) {
        const auto read = [&target, parse](const std::string& name, const Texts& texts) {
            for (const std::string& text : texts) target.push_back(checked(name, parse(text)));
        };
        Added& added = add(names, value_name, help, read);
        added.repeats = true;
        return &added;
    }

    /// The option can be repeated, with or without a value: "--cors", "--cors=https://example.org".
    /// The next argument is its value only if it looks like an origin, because it may be a PATH.
    /// Without a value, or with 1 in its variable, the option has the value `left_out`; with 0 in
    /// its variable, it is not given.
    template <typename Target, typename Parse>
    const Added* optional_values(const std::string& names, const char* value_name,
                                 std::vector<Target>& target, Parse parse, std::string left_out,
                                 const std::string& help) {
        const auto read = [&target, parse, left_out = std::move(left_out)](const std::string& name,
                                                                           const Texts& texts) {
            for (const std::string& text : texts)
                if (text != "0" && text != "false")
                    target.push_back(
                        checked(name, parse(text == "1" || text == "true" ? left_out : text)));
        };
        Added& added = add(names, value_name, help, read);
        added.repeats = true;
        added.option.value_is_optional = true;
        return &added;
    }

    const Added* flag(const std::string& names, bool& target, const std::string& help) {
        const auto read = [&target](const std::string& name, const Texts& texts) {
            target = checked(name, parse_flag(texts.back()));
        };
        return &add(names, "", help, read);
    }

    /// Adds -h and --help, which have no variable.
    void help_flag();

    /// These options are alternatives. If one of them is on the command line, the variables of the
    /// others are ignored.
    void alternatives(std::vector<const Added*> options) {
        alternatives_.push_back(std::move(options));
    }

    /// Reads the command line, then the variables of the options that are not on it. Then calls
    /// `finish`, which checks the options together and may throw WrongUse.
    std::expected<void, NoOptions> read(std::vector<std::string> arguments,
                                        const std::function<void()>& finish);

    /// The page, with all options added so far.
    Page page() const;

   private:
    Added& add(const std::string& names, const char* value_name, const std::string& help,
               Read read);
    void read_arguments(const std::vector<Texts>& given);
    void read_variables();
    bool is_said(const Added& added) const;

    template <typename Value>
    static Value checked(const std::string& name, Parsed<Value> value) {
        if (!value) throw WrongUse{name + ": " + value.error()};
        return std::move(*value);
    }

    Page page_;
    std::string group_;
    std::deque<Added> added_;
    const Added* help_ = nullptr;
    std::vector<std::vector<const Added*>> alternatives_;
};

}  // namespace weir::cli

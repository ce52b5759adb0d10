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

/// A command's options: each with the function of quantities.h that reads its text, and a variable
/// that stands in for it: --some-name is WEIR_SOME_NAME.
class OptionReader {
    using Texts = std::vector<std::string>;
    /// `name`: of what gives the texts, for messages: "--port" or "WEIR_PORT".
    using Read = std::function<void(const std::string& name, const Texts& texts)>;

   public:
    /// An option that was added.
    struct Added {
        Option option;
        Read read;
        bool repeats = false;
        std::size_t times = 0;  // given, on the command line or by its variable
        std::string given_by;   // "--port" or "WEIR_PORT", for messages

        std::size_t count() const { return times; }
    };

    /// `page` comes without options.
    explicit OptionReader(Page page) : page_{std::move(page)} {}
    OptionReader(const OptionReader&) = delete;
    OptionReader& operator=(const OptionReader&) = delete;

    /// Begins a group: the options that follow belong to it.
    void group(std::string name) { group_ = std::move(name); }

    /// If it is given several times the last one wins, so that a script's may be overruled. In
    /// `value_name`, FILE, PATH, ENGINE and words in lower case tell a shell what to offer.
    template <typename Target, typename Parse>
    const Added* value(const std::string& names, const char* value_name, Target& target,
                       Parse parse, const std::string& help) {
        const auto read = [&target, parse](const std::string& name, const Texts& texts) {
            target = static_cast<Target>(checked(name, parse(texts.back())));
        };
        return &add(names, value_name, help, read);
    }

    /// May be given several times; in its variable, one a line.
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

    /// May be given several times, with a value or without: "--cors", "--cors=https://example.org".
    /// The next argument is its value only where it looks like an origin, so that a PATH may follow.
    /// Without one, or with 1 in its variable, it is `left_out`; with 0 there it is not given.
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

    /// -h and --help, which has no variable.
    void help_flag();

    /// Several ways to say one thing: if one of them is on the command line, the variables of the
    /// others are not looked at.
    void alternatives(std::vector<const Added*> options) {
        alternatives_.push_back(std::move(options));
    }

    /// The command line, then the variables of the options that it does not give, then `finish`,
    /// which may throw WrongUse for what an option alone cannot know.
    std::expected<void, NoOptions> read(std::vector<std::string> arguments,
                                        const std::function<void()>& finish);

    /// With all options added so far.
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

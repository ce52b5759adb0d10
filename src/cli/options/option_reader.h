#pragma once

#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/config/sources.h"
#include "cli/help/page.h"
#include "cli/option/no_options.h"
#include "cli/option/quantities.h"
#include "cli/option/wrong_use.h"

namespace weir::cli {

/// The options of a command. Each option has a function (see quantities.h) that parses its text,
/// and an environment variable: WEIR_SOME_NAME for --some-name.
class OptionReader {
    using Texts = std::vector<std::string>;
    /// `name` is the source of the texts, for messages: "--port" or "WEIR_PORT".
    using Read = std::function<void(const std::string& name, const Texts& texts)>;

   public:
    /// An option that was added.
    struct Added {
        Option option;
        Read read;
        Source source = Source::none;
        Texts texts{};           // the texts from that source
        Texts names{};           // the place of each text, if they are from the file
        std::string given_by{};  // "--port", "WEIR_PORT" or "weir.toml:3:1: port", for messages

        std::size_t count() const { return texts.size(); }
    };

    /// `page` must have no options.
    explicit OptionReader(Page page) : page_{std::move(page)} {}
    OptionReader(const OptionReader&) = delete;
    OptionReader& operator=(const OptionReader&) = delete;

    /// Begins a group. Options that are added next belong to the group. `per_site`: each site of a
    /// file may have its own values.
    void group(std::string name, bool per_site = false) {
        group_ = std::move(name);
        per_site_ = per_site;
    }

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
        added.option.repeats = true;
        return &added;
    }

    /// The option can be repeated, with or without a value: "--cors", "--cors=https://example.org".
    /// The next argument is its value only if the value's name is ORIGIN and the argument looks
    /// like an origin, because the argument may be a PATH. Without a value, or with 1 in its
    /// variable, the option has the value `left_out`; 0 in its variable means that the option is
    /// not given.
    template <typename Target, typename Parse>
    const Added* optional_values(const std::string& names, const char* value_name,
                                 std::vector<Target>& target, Parse parse, std::string left_out,
                                 const std::string& help) {
        const auto read = [&target, parse, left_out = std::move(left_out)](const std::string& name,
                                                                           const Texts& texts) {
            for (const std::string& text : texts)
                if (const auto value = value_of(text, left_out))
                    target.push_back(checked(name, parse(*value)));
        };
        Added& added = add(names, value_name, help, read);
        added.option.repeats = true;
        added.option.value_is_optional = true;
        return &added;
    }

    /// The same for an option that has one value: if it is repeated, the last one wins. The target
    /// is empty if the option is not given.
    template <typename Target, typename Parse>
    const Added* optional_value(const std::string& names, const char* value_name,
                                std::optional<Target>& target, Parse parse, std::string left_out,
                                const std::string& help) {
        const auto read = [&target, parse, left_out = std::move(left_out)](const std::string& name,
                                                                           const Texts& texts) {
            target.reset();
            if (const auto value = value_of(texts.back(), left_out))
                target = checked(name, parse(*value));
        };
        Added& added = add(names, value_name, help, read);
        added.option.value_is_optional = true;
        return &added;
    }

    const Added* flag(const std::string& names, bool& target, const std::string& help) {
        const auto read = [&target](const std::string& name, const Texts& texts) {
            target = checked(name, parse_flag(texts.back()));
        };
        return &add(names, "", help, read);
    }

    /// Each site of a file may have its own values, even if the group has none per site.
    void let_sites_have(const Added* added) { option_of(added).per_site = true; }
    /// For a command that runs no server: its options have no variables by themselves.
    void take_from_variable(const Added* added);
    /// No file can have this option.
    void keep_from_files(const Added* added);
    /// This option names a file with further options. No file can have it.
    void names_file(const Added* added) {
        keep_from_files(added);
        file_ = added;
    }

    /// Adds -h and --help, which have no variable.
    void help_flag();

    /// These options are alternatives. If one of them is on the command line, the variables of the
    /// others are ignored.
    void alternatives(std::vector<const Added*> options) {
        alternatives_.push_back(std::move(options));
    }

    /// Reads the command line, then the variables of the options that are not on it, then the file
    /// for the remaining options. Then calls `finish`, which checks the options together and may
    /// throw WrongUse.
    std::expected<void, NoOptions> read(Sources sources, const std::function<void()>& finish);
    std::expected<void, NoOptions> read(std::vector<std::string> arguments,
                                        const std::function<void()>& finish) {
        return read(Sources{.arguments = std::move(arguments)}, finish);
    }

    /// The options that were given, in their order.
    std::vector<const Added*> given() const;

    /// The page, with all options added so far.
    Page page() const;

   private:
    /// The value of an option with an optional value; null if the option is not given.
    static std::optional<std::string> value_of(const std::string& text,
                                               const std::string& left_out) {
        if (text == "0" || text == "false") return std::nullopt;
        return text == "1" || text == "true" ? left_out : text;
    }
    Option& option_of(const Added* added);
    Added& add(const std::string& names, const char* value_name, const std::string& help,
               Read read);
    void take_arguments(std::vector<Texts> given);
    void take_variables();
    void take_table(const config::Document& document, const config::Table& table, Source source,
                    Texts& problems);
    void take_file(const Sources& sources, Texts& problems);
    void read_texts(Texts& problems);
    std::vector<Added*> unsaid();
    bool is_said(const Added& added) const;
    NoOptions refused(const std::string& message) const;

    template <typename Value>
    static Value checked(const std::string& name, Parsed<Value> value) {
        if (!value) throw WrongUse{name + ": " + value.error()};
        return std::move(*value);
    }

    Page page_;
    std::string group_;
    bool per_site_ = false;
    std::deque<Added> added_;
    const Added* help_ = nullptr;
    const Added* file_ = nullptr;
    std::vector<std::vector<const Added*>> alternatives_;
};

}  // namespace weir::cli

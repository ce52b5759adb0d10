#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

#include "cli/config/shape.h"
#include "cli/options/option_reader.h"
#include "cli/serve/read_serve.h"

// The options of `weir serve` with those of its sites, from the command line, the variables and a
// file.
namespace weir::cli {
namespace {

constexpr const char* command = "weir serve";

/// The choice of options to print.
enum class Printed : std::uint8_t {
    changed,               // options that differ from the defaults, without secrets
    all,                   // all options, the others as comments, without secrets
    changed_with_secrets,  // as `changed`, for the next generation to compare with; never shown
};

constexpr std::string_view placeholder = "(hash not shown)";

/// Keeps the name in front of a hash.
std::string without_secret(const std::string& text) {
    return text.substr(0, text.find(':') + 1).append(placeholder);
}

bool have_secrets(const std::vector<config::Said>& said) {
    return std::ranges::any_of(said, has_secrets, &config::Said::option);
}

/// Says at the top of a file that a placeholder must be filled in: weir refuses the file until then.
std::string with_advice(const std::string& file) {
    return std::string{"# Put a hash in place of each "}
        .append(placeholder)
        .append("; `weir password NAME` makes one.\n\n")
        .append(file);
}

bool is_default(const config::Said& said) {
    if (said.texts.size() != 1) return false;
    if (!said.option.takes_value()) return parse_flag(said.texts.front()) == false;
    return said.texts.front() == stated_default(said.option);
}

/// Makes paths absolute, and hides secrets.
config::Said prepared(config::Said said, Printed choice) {
    std::error_code error;  // after an error, paths stay unchanged
    const auto here = std::filesystem::current_path(error).string();
    const bool hides = choice != Printed::changed_with_secrets && has_secrets(said.option);
    for (std::string& text : said.texts)
        text = hides ? without_secret(text) : config::resolved(said.option, text, here);
    return said;
}

class WholeReader {
   public:
    explicit WholeReader(Sources sources) : sources_{std::move(sources)} {}

    std::expected<ServeOptions, NoOptions> read() {
        read_server();
        auto& options = main_.options;
        if (!options && !is_of_file(options.error())) return options;
        if (!options) {
            problems_ = options.error().problems;
            known_problems_.insert(problems_.begin(), problems_.end());
        }
        if (sources_.document) read_sites();
        if (!problems_.empty()) return std::unexpected{why_not()};
        if (auto refused = refuse_root_of_sites()) return std::unexpected{std::move(*refused)};
        options->sites = std::move(sites_);
        auto& certificates = options->tls.settings.certificates;
        certificates.insert(certificates.end(), certificates_.begin(), certificates_.end());
        options->tls.on = options->tls.on || !certificates_.empty();
        if (options->can_be_reloaded())
            if (auto text = printed(Printed::changed_with_secrets))
                options->settings = std::move(*text);
        if (!options->admin.empty()) options->admin_settings = shown();
        if (options->print_config.empty()) return std::move(options);
        auto text =
            printed(options->print_config.back() == "all" ? Printed::all : Printed::changed);
        if (!text) return std::unexpected{std::move(text.error())};
        options->printed = std::move(*text);
        return std::move(options);
    }

   private:
    /// Chooses the exit code: a service manager may try again, unless the file itself is wrong.
    NoOptions why_not() {
        NoOptions why = wrong_file(command, sorted_problems());
        if (document_.could_not_be_read) why.exit_code = exit_code::failure;
        return why;
    }

    std::string shown() const {
        const auto text = printed(Printed::changed);
        return text ? *text
                    : "# no configuration file can have these options: " +
                          text.error().problems.front() + '\n';
    }

    std::expected<std::string, NoOptions> printed(Printed choice) const {
        std::vector<config::Said> said;
        for (const GivenOption& given : main_.given)
            if (given.said.option.in_file && !is_default(given.said))
                said.push_back(prepared(given.said, choice));
        const auto options = choice == Printed::all ? serve_page().options : std::vector<Option>{};
        std::vector<config::SiteSaid> sites = sites_said_;
        for (config::SiteSaid& site : sites)
            for (config::Said& one : site.said) one = prepared(std::move(one), choice);
        auto text = config::printed(said, sites, options);
        if (!text) return std::unexpected{wrong_use(command, text.error())};
        const bool hides = choice != Printed::changed_with_secrets &&
                           (have_secrets(said) ||
                            std::ranges::any_of(sites, have_secrets, &config::SiteSaid::said));
        return hides ? with_advice(*text) : std::move(*text);
    }

    /// Reads the options that are the same for all sites, and the file that they name.
    void read_server() {
        Sources sources = sources_;
        sources.open = [this](const std::string& path) {
            document_ = config::read(path);
            return sources_.document = &document_;
        };
        main_ = read_serve(sources);
    }

    bool is_of_file(const NoOptions& why) const {
        return sources_.document && !why.problems.empty() &&
               why.problems.front().starts_with(sources_.document->file + ':');
    }

    void read_sites() {
        const config::Document& document = *sources_.document;
        const auto heads = config::site_heads(document, problems_);
        for (std::size_t index = 0; index < heads.size(); ++index)
            read_site(document.sites[index], heads[index]);
    }

    void read_site(const config::SiteTable& site, const config::SiteHead& head) {
        Sources sources = sources_;
        sources.site = &site;
        auto read = read_serve(sources);
        if (!read.options) return add_problems(read.options.error(), site.place);
        if (!read.find("root"))
            return problems_.push_back(sources_.document->at(site.place) +
                                       ": the site has no root, such as root = \"/srv/www\"");
        const GivenOption* const cache = read.find("cache-size");
        take_certificates(read);
        sites_.push_back({.head = head,
                          .place = site.place,
                          .has_own_cache = cache && cache->source == Source::site,
                          .options = std::move(static_cast<SiteOptions&>(*read.options))});
        std::vector<config::Said> own;
        for (GivenOption& given : read.given)
            if (given.source == Source::site) own.push_back(std::move(given.said));
        sites_said_.push_back({head, std::move(own)});
    }

    /// The sites share their listeners: the server name of the client (RFC 6066 3) chooses among
    /// the certificates of all.
    void take_certificates(const ReadServe& read) {
        const GivenOption* const own = read.find("tls-cert");
        if (!own || own->source != Source::site) return;
        const auto& certificates = read.options->tls.settings.certificates;
        certificates_.insert(certificates_.end(), certificates.begin(), certificates.end());
    }

    /// A fault above the sites appears again for each site, so it is added only once. A fault
    /// between options has no place, and gets that of the site.
    void add_problems(const NoOptions& why, config::Place site) {
        for (const std::string& text : why.problems) {
            const bool has_place = text.starts_with(sources_.document->file + ':');
            const std::string problem =
                has_place ? text : sources_.document->at(site) + ": " + text;
            if (known_problems_.insert(problem).second) problems_.push_back(problem);
        }
    }

    /// Returns the problems in the order of the file.
    std::vector<std::string> sorted_problems() const {
        std::vector<std::string> sorted = problems_;
        std::ranges::sort(sorted, {}, [this](const std::string& text) {
            return sources_.document->problem_from(text);
        });
        return sorted;
    }

    std::optional<NoOptions> refuse_root_of_sites() const {
        const GivenOption* const root = sites_.empty() ? nullptr : main_.find("root");
        if (!root || root->source == Source::file) return std::nullopt;
        return wrong_use(command, root->given_by + ": the sites of " + sources_.document->file +
                                      " have roots of their own");
    }

    Sources sources_;
    config::Document document_;
    ReadServe main_;
    std::vector<NamedSite> sites_;
    std::vector<tls::CertificateFiles> certificates_;  // of the sites
    std::vector<config::SiteSaid> sites_said_;
    std::vector<std::string> problems_;
    std::set<std::string> known_problems_;
};

}  // namespace

const GivenOption* ReadServe::find(std::string_view long_name) const {
    const auto found = std::ranges::find(given, long_name, [](const GivenOption& one) {
        return std::string_view{one.said.option.long_name};
    });
    return found == given.end() ? nullptr : &*found;
}

std::expected<ServeOptions, NoOptions> serve_options_from(const Sources& sources) {
    return WholeReader{sources}.read();
}

std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments) {
    return serve_options_from(Sources{.arguments = std::move(arguments)});
}

}  // namespace weir::cli

#include "cli/config/site_head.h"

#include <algorithm>
#include <map>

#include "http/head/authority.h"

namespace weir::cli::config {
namespace {

char lower(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                                : character;
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_name_character(char character) {
    const char one = lower(character);
    return (one >= 'a' && one <= 'z') || is_digit(one) || one == '-' || one == '_';
}

bool is_label(std::string_view label) {
    return !label.empty() && label.size() <= 63 && std::ranges::all_of(label, is_name_character);
}

bool is_ipv6(std::string_view text) {
    return text.starts_with('[') && text.ends_with(']') &&
           http::is_authority(text, http::Port::optional);
}

/// Reads one site, and remembers what the sites before it have.
class Reader {
   public:
    Reader(const Document& document, std::vector<std::string>& problems)
        : document_{document}, problems_{problems} {}

    SiteHead read(const SiteTable& site) {
        SiteHead head;
        for (const Entry& entry : site.entries) {
            if (entry.key == "name") read_names(entry, head);
            if (entry.key == "default") read_default(entry, head);
        }
        if (head.names.empty() && !has_name(site)) head.is_default = true;
        if (head.is_default && ++defaults_ > 1)
            refuse(site.place,
                   "a second site without a name, or with default = true: only one is "
                   "the default");
        return head;
    }

   private:
    static bool has_name(const SiteTable& site) {
        return std::ranges::find(site.entries, "name", &Entry::key) != site.entries.end();
    }

    void refuse(Place place, const std::string& text) {
        problems_.push_back(document_.at(place) + ": " + text);
    }

    void read_names(const Entry& entry, SiteHead& head) {
        if (entry.values.empty()) refuse(entry.place, "name: the list has no name");
        for (const Value& value : entry.values) read_name(value, head);
    }

    void read_name(const Value& value, SiteHead& head) {
        if (value.kind != Value::Kind::text || !is_site_name(value.text))
            return refuse(value.place, "name: '" + value.text +
                                           "' is not a host without a port, such as "
                                           "\"example.org\" or \"*.example.org\"");
        std::string name = value.text;
        std::ranges::transform(name, name.begin(), lower);
        const auto [known, is_new] = names_.try_emplace(name, value.place);
        if (!is_new)
            return refuse(value.place, "name: '" + name + "' stands in line " +
                                           std::to_string(known->second.line) + ", too");
        head.names.push_back(std::move(name));
    }

    void read_default(const Entry& entry, SiteHead& head) {
        if (entry.is_list || entry.values.front().kind != Value::Kind::flag)
            return refuse(entry.place, "default: the value is not true or false");
        head.is_default = entry.values.front().text == "true";
    }

    const Document& document_;
    std::vector<std::string>& problems_;
    std::map<std::string, Place> names_;
    int defaults_ = 0;
};

}  // namespace

std::vector<SiteHead> site_heads(const Document& document, std::vector<std::string>& problems) {
    Reader reader{document, problems};
    std::vector<SiteHead> heads;
    heads.reserve(document.sites.size());
    for (const SiteTable& site : document.sites) heads.push_back(reader.read(site));
    return heads;
}

bool is_site_name(std::string_view name) {
    constexpr std::size_t name_max = 253;
    if (is_ipv6(name)) return true;
    if (name.starts_with("*.")) name.remove_prefix(2);
    if (name.empty() || name.size() > name_max) return false;
    for (std::size_t at = 0; at <= name.size();) {
        const auto dot = std::min(name.find('.', at), name.size());
        if (!is_label(name.substr(at, dot - at))) return false;
        at = dot + 1;
    }
    return true;
}

}  // namespace weir::cli::config

#include "cli/config/site_head.h"

#include <algorithm>
#include <map>

#include "rules/hosts.h"

namespace weir::cli::config {
namespace {

/// Reads one site after the other, and remembers the hosts of earlier sites.
class Reader {
   public:
    Reader(const Document& document, std::vector<std::string>& problems)
        : document_{document}, problems_{problems} {}

    SiteHead read(const SiteTable& site) {
        SiteHead head;
        bool has_hosts = false;
        for (const Entry& entry : site.entries) {
            has_hosts |= entry.key == "host";
            if (entry.key == "host") read_hosts(entry, head);
            if (entry.key == "default") read_default(entry, head);
        }
        if (!has_hosts) head.is_default = true;
        if (head.is_default && ++defaults_ > 1)
            refuse(site.place,
                   "a second site without a host, or with default = true: only one is the default");
        return head;
    }

   private:
    void refuse(Place place, const std::string& text) {
        problems_.push_back(document_.at(place) + ": " + text);
    }

    void read_hosts(const Entry& entry, SiteHead& head) {
        if (entry.values.empty()) refuse(entry.place, "host: the list is empty");
        for (const Value& value : entry.values) read_host(value, head);
    }

    void read_host(const Value& value, SiteHead& head) {
        const auto key =
            value.kind == Value::Kind::text ? rules::host_key(value.text) : std::nullopt;
        if (!key) return refuse(value.place, "host: '" + value.text + "' " + why_no_host(value));
        const auto [known, is_new] = hosts_.try_emplace(*key, value.place);
        if (!is_new)
            return refuse(value.place, "host: '" + value.text + "' stands in line " +
                                           std::to_string(known->second.line) + ", too");
        head.hosts.push_back(value.text);
    }

    static std::string why_no_host(const Value& value) {
        const std::string in_brackets = "[" + value.text + "]";
        if (value.kind == Value::Kind::text && rules::host_key(in_brackets))
            return "needs brackets, as an IPv6 address: \"" + in_brackets + "\"";
        return "is not a host without a port, such as \"example.org\" or \"*.example.org\"";
    }

    void read_default(const Entry& entry, SiteHead& head) {
        if (entry.is_list || entry.values.front().kind != Value::Kind::flag)
            return refuse(entry.place, "default: the value is not true or false");
        head.is_default = entry.values.front().text == "true";
    }

    const Document& document_;
    std::vector<std::string>& problems_;
    std::map<std::string, Place> hosts_;
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

}  // namespace weir::cli::config

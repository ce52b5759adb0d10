#include <algorithm>
#include <type_traits>
#include <utility>

#include "dav/methods/methods.h"
#include "dav/properties/kept.h"
#include "dav/properties/live_properties.h"
#include "dav/request/body.h"
#include "dav/request/fault.h"
#include "dav/xml/escaped.h"
#include "site/fields/entity_tag.h"
#include "site/files/read_file.h"
#include "site/types/first_bytes.h"

namespace weir::dav {
namespace {

using Kind = PropertiesAsked::Kind;

/// Bytes that are read for the entity tags and the types of one response. Those of the remaining
/// files are left out, unless they are made without the content.
constexpr std::uint64_t read_bytes_max = 64 * 1024 * 1024;

/// Bytes of one response. A short request may ask for thousands of properties with long names, and
/// each file that is listed has them all, and up to a thousand locks.
constexpr std::size_t response_bytes_max = 32 * 1024 * 1024;

/// Writes the responses of a DAV:multistatus.
class Multistatus {
   public:
    Multistatus(const Visit& visit, const PropertiesAsked& asked) : visit_{visit}, asked_{asked} {}

    void add(const std::string& path, const site::FileState& state) {
        const Tree::Entry entry{.path = path, .state = state};
        const Described described = describe(entry);
        const DeadProperties dead = dead_of(entry);
        std::string found, missing;
        if (asked_.kind == Kind::names)
            append_names(found, described, dead);
        else
            append_values(found, missing, described, dead);
        text_ += "<D:response>";
        append_href(text_, visit_.asked().href(path, entry.is_folder()));
        if (!found.empty() || missing.empty()) append_propstat(found, http::Status::ok);
        if (!missing.empty()) append_propstat(missing, http::Status::not_found);
        text_ += "</D:response>\n";
        if (text_.size() > response_bytes_max)
            throw web::Refusal{http::Status::insufficient_storage,
                               "The answer has more than 32 MB: ask for fewer properties"};
    }

    std::string take() { return document("multistatus", text_); }

   private:
    Described describe(const Tree::Entry& entry) {
        return {.state = entry.state,
                .content_type = [this, entry] { return content_type_of(entry); },
                .entity_tag = [this, entry] { return tag_of(entry); },
                .locks = locks_of(entry.path),
                .root_of = visit_.asked().roots()};
    }

    std::vector<Lock> locks_of(const std::string& path) const {
        const bool are_asked_for =
            asked_.kind == Kind::all || std::ranges::any_of(asked_.names, [](const Name& each) {
                return each.is("lockdiscovery");
            });
        if (!are_asked_for) return {};
        const auto held = visit_.lock();
        return visit_.desk().locks.covering(path, Visit::now());
    }

    bool may_read(std::uint64_t bytes) noexcept {
        if (bytes > read_bytes_max - read_bytes_) return false;
        read_bytes_ += bytes;
        return true;
    }

    /// The value of the site's Content-Type; empty if it is not known.
    std::string content_type_of(const Tree::Entry& entry) {
        const std::string_view named = visit_.desk().types.of("/" + entry.path);
        if (!site::need_first_bytes(named)) return std::string{named};
        const auto size = std::min<std::uint64_t>(entry.state.size, site::first_bytes_max);
        if (!may_read(size)) return {};
        return unless_gone([&]() -> std::string {
            const auto file = visit_.tree().open(entry.path, false);
            const auto start = site::read_from_start(file.get(), size);
            if (!start) return {};
            return site::content_type_of(
                named, {.bytes = *start, .cut = entry.state.size > site::first_bytes_max});
        });
    }

    std::string tag_of(const Tree::Entry& entry) {
        const bool is_read = entry.state.size <= site::EntityTags::hashed_bytes_max;
        if (is_read && !may_read(entry.state.size)) return {};
        return visit_.tag_of(entry.path, {.kind = Tree::Kind::file, .state = entry.state});
    }

    DeadProperties dead_of(const Tree::Entry& entry) const {
        const bool are_asked_for =
            asked_.kind != Kind::some ||
            std::ranges::any_of(asked_.names, [](const Name& each) { return !is_live(each); });
        if (!are_asked_for) return {};
        return unless_gone([&] {
            return read_properties(visit_.tree().open(entry.path, entry.is_folder()).get());
        });
    }

    /// A file that is removed meanwhile, or may not be read, has nothing. Where the system fails,
    /// the request does: nothing is known of the properties then.
    template <typename Read>
    static std::invoke_result_t<Read> unless_gone(Read read) {
        try {
            return read();
        } catch (const web::Refusal& refusal) {
            if (refusal.status() >= http::Status::internal_server_error) throw;
            return {};
        }
    }

    static void append_names(std::string& found, const Described& described,
                             const DeadProperties& dead) {
        std::string value;
        for (const std::string_view local : live_properties)
            if (append_live(value, local, described))
                found.append("<D:").append(local).append("/>");
        for (const auto& each : dead.all()) append_name(found, each.name);
    }

    void append_values(std::string& found, std::string& missing, const Described& described,
                       const DeadProperties& dead) const {
        if (asked_.kind == Kind::all) {
            for (const std::string_view local : live_properties)
                append_live(found, local, described);
            for (const auto& each : dead.all()) found += each.xml;
        }
        for (const Name& name : asked_.names) {
            const bool is_in_all = asked_.kind == Kind::all && (is_live(name) || dead.find(name));
            if (!is_in_all) append_value(found, missing, name, described, dead);
        }
    }

    static void append_value(std::string& found, std::string& missing, const Name& name,
                             const Described& described, const DeadProperties& dead) {
        if (is_live(name)) {
            if (!append_live(found, name.local, described)) append_name(missing, name);
        } else if (const auto* const kept = dead.find(name)) {
            found += kept->xml;
        } else {
            append_name(missing, name);
        }
    }

    void append_propstat(const std::string& properties, http::Status status) {
        text_.append("<D:propstat><D:prop>").append(properties).append("</D:prop>");
        append_status(text_, status);
        text_ += "</D:propstat>";
    }

    const Visit& visit_;
    const PropertiesAsked& asked_;
    std::uint64_t read_bytes_ = 0;
    std::string text_;
};

}  // namespace

http::Response find_properties(const Visit& visit) {
    const Asked& asked = visit.asked();
    const PropertiesAsked properties = read_propfind(asked.body);
    if (asked.depth.value_or(Depth::infinity) == Depth::infinity)
        throw Fault{http::Status::forbidden, "PROPFIND has a depth of 0 or 1 here",
                    "<D:propfind-finite-depth/>"};
    visit.need_something();
    {
        const auto held = visit.lock();
        visit.need_conditions();
    }
    Multistatus status{visit, properties};
    status.add(asked.path, visit.seen().state);
    if (asked.depth == Depth::one && visit.seen().kind == Tree::Kind::folder)
        for (const Tree::Entry& each : visit.tree().members(asked.path).all)
            status.add(each.path, each.state);
    return xml_response(multi_status, status.take());
}

}  // namespace weir::dav

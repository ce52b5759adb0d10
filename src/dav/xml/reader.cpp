#include "dav/xml/reader.h"

#include <expat.h>

#include <exception>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes/random_bytes.h"
#include "weir/dav/dav.h"

namespace weir::dav {
namespace {

/// Between the parts of a name, as the parser gives it: no name has it.
constexpr char between = '\n';

struct Qualified {
    Name name;
    std::string prefix;
};

/// "space\nlocal\nprefix", "space\nlocal" or "local".
Qualified qualified(std::string_view text) {
    const auto first = text.find(between);
    if (first == text.npos)
        return {.name = {.space = {}, .local = std::string{text}}, .prefix = {}};
    const std::string_view rest = text.substr(first + 1);
    const auto second = rest.find(between);
    return {.name = {.space = std::string{text.substr(0, first)},
                     .local = std::string{rest.substr(0, second)}},
            .prefix = second == rest.npos ? std::string{} : std::string{rest.substr(second + 1)}};
}

/// Builds the elements while the parser reads them. No exception may pass through the parser, which
/// is C.
class Builder {
   public:
    Builder(XML_Parser parser, const XmlLimits& limits) : parser_{parser}, limits_{limits} {
        ::XML_SetUserData(parser, this);
        ::XML_SetReturnNSTriplet(parser, 1);
        ::XML_SetElementHandler(
            parser,
            [](void* self, const XML_Char* name, const XML_Char** attributes) {
                of(self).guarded([&](Builder& builder) { builder.start(name, attributes); });
            },
            [](void* self, const XML_Char*) {
                of(self).guarded([](Builder& builder) { builder.open_.pop_back(); });
            });
        ::XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
            of(self).guarded(
                [&](Builder& builder) { builder.add({text, static_cast<std::size_t>(size)}); });
        });
        ::XML_SetStartDoctypeDeclHandler(
            parser, [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
                of(self).refuse("The XML has a DOCTYPE, which is not read");
            });
    }

    std::unique_ptr<Element> take() noexcept { return std::move(root_); }
    const std::string& why() const noexcept { return why_; }
    std::exception_ptr failure() const noexcept { return failure_; }

   private:
    static Builder& of(void* self) noexcept { return *static_cast<Builder*>(self); }

    template <typename Work>
    void guarded(Work work) noexcept {
        if (is_stopped_) return;
        try {
            work(*this);
        } catch (...) {
            failure_ = std::current_exception();
            stop();
        }
    }
    void stop() noexcept {
        is_stopped_ = true;
        ::XML_StopParser(parser_, XML_FALSE);
    }
    void refuse(const char* why) noexcept {
        why_ = why;
        stop();
    }

    void start(const XML_Char* text, const XML_Char** attributes) {
        if (open_.size() == limits_.depth_max) return refuse("The XML is nested too deeply");
        if (++elements_ > limits_.elements_max) return refuse("The XML has too many elements");
        if (std::string_view{text}.size() > limits_.name_bytes_max)
            return refuse("The XML has a name that is too long");
        auto made = std::make_unique<Element>();
        auto [name, prefix] = qualified(text);
        made->name = std::move(name);
        made->prefix = std::move(prefix);
        for (; *attributes != nullptr; attributes += 2) {
            if (++attributes_ > limits_.attributes_max)
                return refuse("The XML has too many attributes");
            if (std::string_view{attributes[0]}.size() > limits_.name_bytes_max)
                return refuse("The XML has a name that is too long");
            auto each = qualified(attributes[0]);
            made->attributes.push_back({.name = std::move(each.name),
                                        .prefix = std::move(each.prefix),
                                        .value = attributes[1]});
        }
        Element* const element = made.get();
        if (open_.empty())
            root_ = std::move(made);
        else
            open_.back()->nodes.push_back({.element = std::move(made)});
        open_.push_back(element);
    }

    void add(std::string_view text) {
        if (open_.empty()) return;
        auto& nodes = open_.back()->nodes;
        if (nodes.empty() || nodes.back().element) nodes.emplace_back();
        nodes.back().text += text;
    }

    XML_ParserStruct* const parser_;
    const XmlLimits limits_;
    std::unique_ptr<Element> root_;
    std::vector<Element*> open_;
    std::size_t elements_ = 0;
    std::size_t attributes_ = 0;
    bool is_stopped_ = false;
    std::string why_;
    std::exception_ptr failure_;
};

struct Free {
    void operator()(XML_Parser parser) const noexcept { ::XML_ParserFree(parser); }
};

/// The secret of the parser's hash tables. Left to itself, Expat looks for it in ways that a sandbox
/// forbids if getrandom(2) fails. 0 would leave it to Expat.
unsigned long hash_salt() {
    unsigned long salt = 0;
    fill_random(std::as_writable_bytes(std::span{&salt, 1}));
    return salt | 1U;
}

}  // namespace

std::expected<std::unique_ptr<Element>, std::string> read_xml(std::string_view document,
                                                              const XmlLimits& limits) {
    if (document.size() > limits.bytes_max) return std::unexpected{"The XML is too long"};
    const std::unique_ptr<XML_ParserStruct, Free> parser{::XML_ParserCreateNS(nullptr, between)};
    if (!parser) throw std::bad_alloc{};
    ::XML_SetHashSalt(parser.get(), hash_salt());
    Builder builder{parser.get(), limits};
    const auto status =
        ::XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE);
    if (builder.failure()) std::rethrow_exception(builder.failure());
    if (!builder.why().empty()) return std::unexpected{builder.why()};
    if (status == XML_STATUS_OK) return builder.take();
    const auto error = ::XML_GetErrorCode(parser.get());
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc{};
    return std::unexpected{"The XML is malformed in line " +
                           std::to_string(::XML_GetCurrentLineNumber(parser.get())) + ": " +
                           ::XML_ErrorString(error)};
}

std::string_view unavailable() { return {}; }

}  // namespace weir::dav

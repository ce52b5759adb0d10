#include "markdown/answer/wishes.h"

#include "weir/http/field_name.h"

namespace weir::markdown {

using http::FieldName;

namespace {

bool is_wish(FieldName name) noexcept {
    switch (name) {
        case FieldName::accept_encoding:
        case FieldName::if_match:
        case FieldName::if_modified_since:
        case FieldName::if_none_match:
        case FieldName::if_unmodified_since:
        case FieldName::range: return true;
        default: return false;
    }
}

}  // namespace

Wishes::Wishes(const http::Request& request) : request_{request} {
    for (std::size_t i = 0; i < request.fields().size(); ++i)
        if (is_wish(request.fields()[i].id))
            values_.emplace_back(i, request.value_of(request.fields()[i]));
    for (const auto& [index, value] : values_)
        request.change(index, request.fields()[index].id == FieldName::if_match ? "*" : "");
}

Wishes::~Wishes() {
    for (const auto& [index, value] : values_) request_.change(index, value);
}

}  // namespace weir::markdown

#include <string>
#include <string_view>
#include <utility>

#include "base/quoted.h"
#include "weir/web/openapi.h"

namespace weir::web {

std::string ObjectSchema::json() const {
    std::string out = R"({"type": "object", "properties": {)" + properties_ + "}";
    if (!required_.empty()) out.append(R"(, "required": [)").append(required_).append("]");
    return out += '}';
}

ObjectSchema& ObjectSchema::add(std::string_view name, std::string_view schema, bool is_required) {
    const auto append = [name](std::string& list) {
        if (!list.empty()) list += ", ";
        append_quoted(list, name);
    };
    append(properties_);
    properties_.append(": ").append(schema);
    if (is_required) append(required_);
    return *this;
}

Operation& Operation::summary(std::string_view text) {
    facts_.summary = text;
    return *this;
}
Operation& Operation::description(std::string_view text) {
    facts_.description = text;
    return *this;
}
Operation& Operation::id(std::string_view name) {
    facts_.id = name;
    return *this;
}
Operation& Operation::tag(std::string_view name) {
    facts_.tag = name;
    return *this;
}
Operation& Operation::answers(Status status, std::string_view description) {
    return add_answer({.status = status, .description = std::string{description}});
}
Operation& Operation::add_parameter(Parameter parameter) {
    facts_.parameters.push_back(std::move(parameter));
    return *this;
}
Operation& Operation::set_content(std::string schema, std::string_view example) {
    facts_.content = {.schema = std::move(schema), .example = std::string{example}};
    return *this;
}
Operation& Operation::add_answer(Answer answer) {
    facts_.answers.push_back(std::move(answer));
    return *this;
}

}  // namespace weir::web

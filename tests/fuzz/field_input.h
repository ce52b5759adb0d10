#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/trimmed.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/plain/conditions.h"
#include "unit/site/request_fixture.h"

namespace weir::tests {

/// The lines of `text` that are fields with one of these names (as written), for a request and for
/// the model of its answer.
struct FieldInput {
    plain::Fields fields;

    static FieldInput from(std::string_view text, const std::vector<std::string_view>& names) {
        FieldInput input;
        while (!text.empty()) {
            std::string_view line = take_line(text);
            if (line.ends_with('\r')) line.remove_suffix(1);
            for (const std::string_view name : names)
                if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
                    input.fields.emplace_back(name, trimmed(line.substr(name.size() + 1)));
        }
        return input;
    }

    std::vector<std::string> lines() const {
        std::vector<std::string> lines;
        for (const auto& [name, value] : fields) lines.push_back(name + ": " + value);
        return lines;
    }

    /// As an engine would get it. Nothing if the head is refused: a control character, too long.
    std::optional<site::TestRequest> request() const {
        std::optional<site::TestRequest> request;
        try {
            request.emplace("GET /", lines());
        } catch (const std::invalid_argument&) {
            request.reset();
        }
        return request;
    }
};

}  // namespace weir::tests

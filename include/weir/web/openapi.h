#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/status.h"
#include "weir/web/router.h"
#include "weir/web/schema.h"

namespace weir::web {

/// A description of one route; see OpenApi::describe(). Texts are UTF-8. Each function may be
/// called in a row.
class Operation {
   public:
    /// One line: "Adds a note".
    Operation& summary(std::string_view text);
    /// More than a line, as Markdown (CommonMark).
    Operation& description(std::string_view text);
    /// A name for generated clients: "addNote". Unique within the document.
    Operation& id(std::string_view name);
    /// Operations with the same tag stand together.
    Operation& tag(std::string_view name);

    /// The type of `{name}` of the pattern, which is a string otherwise. An unknown name throws
    /// std::invalid_argument in OpenApi::document().
    template <typename Value>
    Operation& path(std::string_view name, std::string_view description = {}) {
        return add_parameter({.place = "path",
                              .name = std::string{name},
                              .schema = Schema<Value>::json(),
                              .description = std::string{description},
                              .is_required = true});
    }
    /// A field of the query. It is required, unless the type is a std::optional.
    template <typename Value>
    Operation& query(std::string_view name, std::string_view description = {}) {
        return add_parameter({.place = "query",
                              .name = std::string{name},
                              .schema = Schema<Value>::json(),
                              .description = std::string{description},
                              .is_required = !detail::is_optional<Value>});
    }
    /// The content of the request is JSON of that type. `example` is JSON, or empty.
    template <typename Value>
    Operation& takes(std::string_view example = {}) {
        return set_content(Schema<Value>::json(), example);
    }
    /// A response without described content.
    Operation& answers(Status status, std::string_view description);
    /// A response with JSON of that type. `example` is JSON, or empty.
    template <typename Value>
    Operation& answers(Status status, std::string_view description, std::string_view example = {}) {
        return add_answer(
            {.status = status,
             .description = std::string{description},
             .content = {.schema = Schema<Value>::json(), .example = std::string{example}}});
    }

    struct Content {
        std::string schema{};  // JSON; empty: no content
        std::string example{};
    };
    struct Parameter {
        std::string_view place;  // "path" or "query"
        std::string name;
        std::string schema;
        std::string description;
        bool is_required;
    };
    struct Answer {
        Status status;
        std::string description;
        Content content{};
    };
    struct Facts {
        std::string summary{};
        std::string description{};
        std::string id{};
        std::string tag{};
        std::vector<Parameter> parameters{};
        Content content{};
        std::vector<Answer> answers{};
    };
    const Facts& facts() const noexcept { return facts_; }

   private:
    Operation& add_parameter(Parameter parameter);
    Operation& set_content(std::string schema, std::string_view example);
    Operation& add_answer(Answer answer);

    Facts facts_{};
};

/// The routes of a router as an OpenAPI 3.1 document, and as a page for people:
///
///     OpenApi api{{.title = "Notes", .version = "1.2"}};
///     api.describe("GET /notes/{id}").summary("One note").path<int>("id").answers<Note>(Status::ok, "It");
///     router.get("/openapi.json", [document = api.document(router)] { return json_text(document); });
///     router.get("/api", [page = api.page(router)] { return html(page); });
///
/// Each route with a method is in it, also one without a description; mounted handlers are not.
class OpenApi {
   public:
    struct Info {
        std::string title{};
        std::string version = "1";
        std::string description{};  // Markdown
        /// "https://api.example.org/v1"; empty: the address of the document.
        std::string server{};
    };
    explicit OpenApi(Info info) : info_{std::move(info)} {}

    /// The description of the route with that pattern, as it was given to Routes::add(): with the
    /// method, and with the prefix of its group. It lives as long as this object.
    Operation& describe(std::string_view pattern) { return operations_[std::string{pattern}]; }

    /// JSON. Throws std::invalid_argument for a description of a route that the router does not
    /// have, or of a part of the path that the pattern does not have.
    std::string document(const Router& router) const;
    /// A page of HTML with the same content, without scripts. Throws as document().
    std::string page(const Router& router) const;

   private:
    Info info_;
    std::map<std::string, Operation, std::less<>> operations_{};
};

}  // namespace weir::web

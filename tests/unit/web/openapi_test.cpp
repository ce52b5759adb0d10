#include "weir/web/openapi.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "weir/web/probe.h"

struct Note {};
template <>
struct weir::web::Schema<Note> {
    static std::string json() {
        return ObjectSchema{}
            .has<int>("id")
            .has<std::string>("a \"title\"")
            .has<std::optional<std::vector<double>>>("numbers")
            .json();
    }
};

namespace weir::web {
namespace {

struct Mounted final : http::Handler {
    http::Reply handle(const http::Request&) override { return Response{}; }
};

struct Documents : ::testing::Test {
    Router router;
    Mounted site;
    OpenApi api{{.title = "Notes", .version = "1.2", .description = "<Keeps> \"notes\""}};

    Documents() {
        const auto nothing = [] { return text(""); };
        router.get("/notes", nothing).post("/notes", nothing).get("/notes/{id}", nothing);
        router.get("/{$}", nothing).get("/files/{path...}", nothing).get("/images/", nothing);
        router.add("BREW /pot", nothing).add("/any", nothing);
        router.get("api.example.org/status", nothing);
        router.get("/openapi.json", [&] { return json_text(api.document(router)); });
    }
    std::string paths() const {
        const std::string document = api.document(router);
        return document.substr(document.find("\"paths\""));
    }
};

TEST_F(Documents, HaveAllRoutesWithAMethod) {
    router.mount("/site", site);
    const std::string document = api.document(router);
    EXPECT_TRUE(document.starts_with(R"({"openapi": "3.1.0", "info": {"title": "Notes", )"
                                     R"("version": "1.2", "description": "<Keeps> \"notes\""}, )"))
        << document;
    const std::string plain = R"({"responses": {"default": {"description": "The response"}}})";
    const auto with = [&](std::string_view name) {
        return R"({"parameters": [{"name": ")" + std::string{name} +
               R"(", "in": "path", "required": true, "schema": {"type": "string"}}], )" +
               plain.substr(1);
    };
    EXPECT_EQ(paths(), R"("paths": {"/notes": {"get": )" + plain + R"(, "post": )" + plain +
                           R"(}, "/notes/{id}": {"get": )" + with("id") + R"(}, "/": {"get": )" +
                           plain + R"(}, "/files/{path}": {"get": )" + with("path") +
                           R"(}, "/images/{rest}": {"get": )" + with("rest") +
                           R"(}, "/status": {"get": {"servers": [{"url": "//api.example.org"}], )" +
                           plain.substr(1) + R"(}, "/openapi.json": {"get": )" + plain + "}}}\n");
}

TEST_F(Documents, HaveEncodedPaths) {
    Router other;
    other.get("/a%20b/%C3%A9/%7Bx%7D/c%25", [] { return text(""); });
    EXPECT_NE(api.document(other).find(R"("/a%20b/%C3%A9/%7Bx%7D/c%25": {)"), std::string::npos);
}

TEST_F(Documents, HaveDescriptions) {
    api.describe("POST /notes")
        .id("addNote")
        .summary("Adds a note")
        .description("A *new* one.")
        .tag("notes")
        .query<std::optional<bool>>("draft", "not shown yet")
        .query<int>("folder")
        .takes<Note>(R"({"id": 1})")
        .answers<Note>(Status::created, "It is there")
        .answers(Status::conflict, "There is one already");
    api.describe("GET /notes/{id}").path<unsigned>("id", "The number");
    const std::string schema =
        R"({"type": "object", "properties": {"id": {"type": "integer"}, "a \"title\"": {"type": "string"}, )"
        R"("numbers": {"type": "array", "items": {"type": "number"}}}, "required": ["id", "a \"title\""]})";
    EXPECT_NE(paths().find(
                  R"("post": {"operationId": "addNote", "summary": "Adds a note", )"
                  R"("description": "A *new* one.", "tags": ["notes"], "parameters": [)"
                  R"({"name": "draft", "in": "query", "description": "not shown yet", )"
                  R"("required": false, "schema": {"type": "boolean"}}, {"name": "folder", )"
                  R"("in": "query", "required": true, "schema": {"type": "integer"}}], )"
                  R"("requestBody": {"required": true, "content": {"application/json": )"
                  R"({"schema": )" +
                  schema + R"(, "example": {"id": 1}}}}, "responses": {"201": {"description": )" +
                  R"("It is there", "content": {"application/json": {"schema": )" + schema +
                  R"(}}}, "409": {"description": "There is one already"}}})"),
              std::string::npos)
        << paths();
    EXPECT_NE(paths().find(R"({"name": "id", "in": "path", "description": "The number", )"
                           R"("required": true, "schema": {"type": "integer"}})"),
              std::string::npos);
}

TEST_F(Documents, RefuseDescriptionsOfNothing) {
    OpenApi other{{.title = "x"}};
    other.describe("GET /nowhere");
    EXPECT_THROW(other.document(router), std::invalid_argument);
    EXPECT_THROW(other.page(router), std::invalid_argument);
    api.describe("GET /notes/{id}").path<int>("number");
    EXPECT_THROW(api.document(router), std::invalid_argument);
}

TEST_F(Documents, HaveAPageForPeople) {
    api.describe("POST /notes").summary("Adds <a> note").takes<Note>(R"({"id": 1})");
    const std::string page = api.page(router);
    for (const std::string_view expected :
         {"<title>Notes</title>", "<h1>Notes 1.2</h1>", "&lt;Keeps&gt;", "POST /notes",
          "GET /notes/{id}", "Adds &lt;a&gt; note", "GET api.example.org/status",
          "{&quot;id&quot;: 1}"})
        EXPECT_NE(page.find(expected), std::string::npos) << expected << page;
    EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST_F(Documents, AreServed) {
    EXPECT_EQ(Probe{router}.get("/openapi.json").content, api.document(router));
}

}  // namespace
}  // namespace weir::web

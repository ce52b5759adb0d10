#include <gtest/gtest.h>

#include <optional>

#include "rules/folder/path_form.h"

namespace weir::rules {
namespace {

/// "name=text;" for each capture, if the path matches.
std::optional<std::string> matched(std::string_view form, std::string_view path) {
    const auto parsed = PathForm::parse(form);
    Captures captures;
    if (!parsed || !parsed->matches(path, captures)) return std::nullopt;
    std::string text;
    for (std::size_t i = 0; i < parsed->names().size(); ++i)
        text.append(parsed->names()[i]).append("=").append(captures[i]).append(";");
    return text;
}

TEST(PathForm, CapturesNamesAndTheRest) {
    EXPECT_EQ(matched("/a", "/a"), "");
    EXPECT_EQ(matched("/a%20b", "/a b"), "");
    EXPECT_EQ(matched("/:year/:page", "/2026/x y"), "year=2026;page=x y;");
    EXPECT_EQ(matched("/news/*", "/news/a/b"), "splat=a/b;");
    EXPECT_EQ(matched("/news/*", "/news/"), "splat=;");
    EXPECT_EQ(matched("/*", "/"), "splat=;");
    EXPECT_EQ(matched("/a/*.js", "/a/b/c.js"), "splat=b/c;");
    EXPECT_EQ(matched("/:a/*/:b/end", "/1/2/3/4/end"), "a=1;splat=2/3;b=4;");
}

TEST(PathForm, DoesNotMatchOthers) {
    for (const auto& [form, path] : {std::pair{"/a", "/a/"},
                                     {"/a/", "/a"},
                                     {"/:a", "/"},
                                     {"/:a", "/b/c"},
                                     {"/news/*", "/news"},
                                     {"/a*a", "/a"},
                                     {"/*/:b", "/a/"},
                                     {"/A", "/a"},
                                     {"/x/*.js", "/x/a.css"}})
        EXPECT_FALSE(matched(form, path)) << form << ' ' << path;
}

TEST(PathForm, RefusesWhatItCannotFollow) {
    for (const auto& [form, why] :
         {std::pair{"a", "begin with a slash"},
          {"https://example.org/a", "names a host"},
          {"/*/*", "more than one *"},
          {"/**", "more than one *"},
          {"/:a/:a", ":a twice"},
          {"/:splat", "is the name for what * matches"},
          {"/:1", "is no name"},
          {"/:", "is no name"},
          {"/a?b", "a query"},
          {"/%4x", "malformed escape"},
          {"/%00", "has a NUL"},
          {"/:a/:b/:c/:d/:e/:f/:g/:h/:i/:j/:k/:l/:m/:n/:o/:p", "too many"}}) {
        const auto parsed = PathForm::parse(form);
        ASSERT_FALSE(parsed) << form;
        EXPECT_TRUE(parsed.error().contains(why)) << parsed.error();
    }
}

}  // namespace
}  // namespace weir::rules

#include "weir/web/form.h"

#include <gtest/gtest.h>

#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

TEST(Forms, HaveNamesAndValues) {
    const Form form = Form::from("a=1&b=x+y%26z&a=2&=empty&flag&%c3%a4=%zz&&");
    EXPECT_EQ(form.fields().size(), 6u);
    EXPECT_EQ(form.get("a"), "1");
    EXPECT_EQ(form.get<int>("a"), 1);
    EXPECT_EQ(form.get("b"), "x y&z");
    EXPECT_EQ(form.get(""), "empty");
    EXPECT_EQ(form.get("flag"), "");
    EXPECT_EQ(form.get("\xc3\xa4"), "%zz");
    EXPECT_EQ(form.get("none"), std::nullopt);
    EXPECT_EQ(form.get<int>("b"), std::nullopt);
}

TEST(Forms, HaveALimit) {
    const Form form = Form::from("a&b", 2);
    EXPECT_EQ(form.fields().size(), 2u);
    EXPECT_THROW(Form::from("a&b&c", 2), Refusal);
}

TEST(Forms, AreReadFromTheContent) {
    Router router;
    router.post("/", [](const Call& call) {
        return text(std::string{Form::of(call).get("name").value_or("none")});
    });
    Probe probe{router};
    EXPECT_EQ(probe.post("/", "name=J%C3%BCrgen").content, "J\xc3\xbcrgen");
    EXPECT_EQ(probe.post("/", "{}", "application/json").status, 415u);
}

}  // namespace
}  // namespace weir::web

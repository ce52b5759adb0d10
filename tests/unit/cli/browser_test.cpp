#include "cli/announce/browser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/cli/variable.h"

namespace weir::cli {
namespace {

using testing::ElementsAre;

const std::string url = "http://127.0.0.1:8000/";

std::expected<void, std::string> open_browser() {
    auto browser = Browser::prepare(url);
    if (!browser) return std::unexpected{browser.error()};
    return browser->open();
}

struct OpenBrowser : testing::Test {
    Variable display{"DISPLAY", ""};
    Variable wayland{"WAYLAND_DISPLAY", ""};
};

TEST_F(OpenBrowser, IsXdgOpenOnADisplay) {
    const Variable browser{"BROWSER", ""};
    const Variable here{"DISPLAY", ":0"};
    EXPECT_THAT(browser_commands(url), ElementsAre(CommandLine{"xdg-open", url}));
}

TEST_F(OpenBrowser, IsWhatTheVariableSaysFirst) {
    const Variable browser{"BROWSER", "firefox --new-tab %s:w3m"};
    const Variable here{"WAYLAND_DISPLAY", "wayland-0"};
    EXPECT_THAT(browser_commands(url),
                ElementsAre(CommandLine{"firefox", "--new-tab", url}, CommandLine{"w3m", url},
                            CommandLine{"xdg-open", url}));
}

TEST_F(OpenBrowser, IsMissedInWordsWithoutADisplay) {
    const Variable browser{"BROWSER", ""};
    EXPECT_EQ(open_browser().error(),
              "there is no display to open a browser on, and BROWSER is not set");
}

TEST_F(OpenBrowser, IsMissedInWordsWhereNoCommandIsThere) {
    const Variable browser{"BROWSER", "/nowhere/browser"};
    EXPECT_EQ(open_browser().error(), "no browser was found: install xdg-utils or set BROWSER");
}

}  // namespace
}  // namespace weir::cli

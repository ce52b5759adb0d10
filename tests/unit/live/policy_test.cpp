#include "live/policy.h"

#include <gtest/gtest.h>

namespace weir::live {
namespace {

TEST(PolicyForScript, LetsThePageRunAScriptAndConnect) {
    EXPECT_EQ(
        policy_for_script("default-src 'none'; img-src 'self'; script-src 'sha256-x'"),
        "default-src 'none'; img-src 'self'; script-src 'sha256-x' 'self'; connect-src 'self'");
    EXPECT_EQ(policy_for_script("default-src https://a.example"),
              "default-src https://a.example; script-src https://a.example 'self'; "
              "connect-src https://a.example 'self'");
    EXPECT_EQ(policy_for_script("Script-Src 'none'; script-src-elem 'unsafe-inline';connect-src"),
              "Script-Src 'none'; script-src-elem 'unsafe-inline' 'self'; connect-src 'self'");
}

TEST(PolicyForScript, LeavesWhatAllowsItAlready) {
    for (const char* const policy : {"img-src 'none'", "default-src 'SELF'", "default-src *",
                                     "default-src 'none'; script-src 'self'; connect-src *"})
        EXPECT_EQ(policy_for_script(policy), policy);
    EXPECT_EQ(policy_for_script(" ;; , "), "");
}

TEST(PolicyForScript, ChangesEachPolicyOfAList) {
    EXPECT_EQ(policy_for_script("script-src 'none', connect-src b.example"),
              "script-src 'self', connect-src b.example 'self'");
}

}  // namespace
}  // namespace weir::live

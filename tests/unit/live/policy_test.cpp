#include "live/policy.h"

#include <gtest/gtest.h>

namespace weir::live {
namespace {

std::string allowed(std::string_view policies) { return policy_for_script(policies, "n1"); }

TEST(PolicyForScript, LetsThePageRunAScriptAndConnect) {
    EXPECT_EQ(
        allowed("default-src 'none'; img-src 'self'; script-src 'sha256-x'"),
        "default-src 'none'; img-src 'self'; script-src 'sha256-x' 'self'; connect-src 'self'");
    EXPECT_EQ(allowed("default-src https://a.example"),
              "default-src https://a.example; script-src https://a.example 'self'; "
              "connect-src https://a.example 'self'");
    EXPECT_EQ(allowed("Script-Src 'none'; script-src-elem 'unsafe-inline';connect-src"),
              "Script-Src 'none'; script-src-elem 'unsafe-inline' 'self'; connect-src 'self'");
}

TEST(PolicyForScript, LeavesWhatAllowsItAlready) {
    for (const char* const policy : {"img-src 'none'", "default-src 'SELF'", "default-src *",
                                     "default-src 'none'; script-src 'self'; connect-src *"})
        EXPECT_EQ(allowed(policy), policy);
    EXPECT_EQ(allowed(" ;; , "), "");
}

TEST(PolicyForScript, ChangesEachPolicyOfAList) {
    EXPECT_EQ(allowed("script-src 'none', connect-src b.example"),
              "script-src 'self', connect-src b.example 'self'");
}

TEST(PolicyForScript, AddsTheNonceWhereSelfMeansNothing) {
    EXPECT_EQ(allowed("script-src 'sha256-x' 'strict-dynamic'; base-uri 'none'"),
              "script-src 'sha256-x' 'strict-dynamic' 'nonce-n1'; base-uri 'none'");
    EXPECT_EQ(allowed("default-src 'self' * 'strict-dynamic'"),
              "default-src 'self' * 'strict-dynamic'; "
              "script-src 'self' * 'strict-dynamic' 'nonce-n1'");
}

TEST(PolicyForScript, StaysAsItIsTheSecondTime) {
    for (const char* const policy : {"default-src 'none'", "script-src 'strict-dynamic'"})
        EXPECT_EQ(allowed(allowed(policy)), allowed(policy));
}

}  // namespace
}  // namespace weir::live

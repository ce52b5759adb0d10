#include "engines/engines.h"

#include <gtest/gtest.h>

#include <set>

#include "net/system/cores.h"

namespace weir::engines {
namespace {

TEST(Engines, AreFoundByName) {
    for (const Engine& engine : all()) EXPECT_EQ(find(engine.name), &engine);
    EXPECT_EQ(find("no-such-engine"), nullptr);
    EXPECT_EQ(find(""), nullptr);
}

TEST(Engines, AutoIsOneOfThem) {
    ASSERT_NE(find("auto"), nullptr);
    EXPECT_EQ(find("auto"), find("per-core"));
}

TEST(Engines, AutoSaysWhyItIsTheBest) {
    EXPECT_TRUE(automatic().why.contains("core"));
    EXPECT_TRUE(automatic().why.contains("io-uring"));
    const net::PinnedToCore one{true, 0};
    EXPECT_TRUE(automatic().why.starts_with("a loop on the one core"));
}

TEST(Engines, SayWhatTheyAre) {
    std::set<std::string_view> names;
    for (const Engine& engine : all()) {
        EXPECT_TRUE(names.insert(engine.name).second) << engine.name << " stands there twice";
        for (const auto column : {engine.waits, engine.handlers_run, engine.good_at, engine.bad_at})
            EXPECT_FALSE(column.empty()) << engine.name;
        EXPECT_NE(engine.run, nullptr);
    }
}

}  // namespace
}  // namespace weir::engines

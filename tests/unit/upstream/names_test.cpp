// The addresses of a name, which are looked up again.

#include "upstream/names.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/troubles.h"
#include "support/time_limit.h"

namespace weir::upstream {
namespace {

using namespace std::chrono_literals;
using Texts = std::vector<std::string>;
using Again = Name::Again;

/// Hears that a look-up has ended.
struct Ended final : http::Postbox {
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override {
        const std::scoped_lock lock{mutex};
        ++count;
        changed.notify_all();
    }
    void await(int times) {
        std::unique_lock lock{mutex};
        EXPECT_TRUE(changed.wait_for(lock, tests::time_limit, [&] { return count >= times; }));
    }
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
};

/// Plays the system: an answer for each look-up.
struct System {
    std::expected<Texts, std::string> answer(const std::string& name) {
        const std::scoped_lock lock{mutex};
        ++asked;
        if (found.empty()) return std::unexpected{"the name " + name + " has no address"};
        return found;
    }
    void set(Texts texts) {
        const std::scoped_lock lock{mutex};
        found = std::move(texts);
    }
    int times() {
        const std::scoped_lock lock{mutex};
        return asked;
    }
    std::mutex mutex;
    Texts found;
    int asked = 0;
};

struct NamesTest : ::testing::Test {
    ~NamesTest() override { look_ups->stop(); }

    std::shared_ptr<Name> name_with(const Texts& addresses) {
        Target target = *parse_target("http://app:3000");
        for (const std::string& each : addresses)
            target.addresses.push_back(*net::Address::parse(each, target.port));
        return std::make_shared<Name>(look_ups, target, start);
    }
    static Texts texts_of(std::span<const net::Address> addresses) {
        Texts texts;
        for (const net::Address& each : addresses) texts.push_back(each.text());
        return texts;
    }
    /// Asks, and waits for the end of the look-up.
    Again look_up(Name& name, Instant now) {
        const http::Waker waker{ended, {}};
        EXPECT_EQ(name.ask(now, &waker), Again::later);
        ended->await(++waits);
        return name.outcome();
    }

    const Instant start{std::chrono::hours{1}};
    const std::shared_ptr<System> system = std::make_shared<System>();
    std::vector<Texts> led_to;
    const std::shared_ptr<Ended> ended = std::make_shared<Ended>();
    int waits = 0;
    const std::shared_ptr<LookUps> look_ups = std::make_shared<LookUps>(
        [system = system](const std::string& name) { return system->answer(name); }, 30s,
        [this](const std::string& url, std::span<const net::Address> addresses) {
            EXPECT_EQ(url, "http://app:3000");
            led_to.push_back(texts_of(addresses));
        });
};

TEST_F(NamesTest, FailureOfAllAddressesBringsOthers) {
    const auto name = name_with({"127.0.0.1"});
    system->set({"127.0.0.2", "127.0.0.3"});
    EXPECT_EQ(look_up(*name, start + 1s), Again::now);
    const Texts found{"127.0.0.2:3000", "127.0.0.3:3000"};
    EXPECT_EQ(texts_of(name->addresses(start + 1s)), found);
    EXPECT_EQ(led_to, std::vector<Texts>{found});
}

TEST_F(NamesTest, SameAddressesInAnotherOrderAreNoChange) {
    const auto name = name_with({"127.0.0.1", "127.0.0.2"});
    system->set({"127.0.0.2", "127.0.0.1"});
    EXPECT_EQ(look_up(*name, start + 1s), Again::no);
    EXPECT_TRUE(led_to.empty());
}

TEST_F(NamesTest, FailedLookUpKeepsTheAddresses) {
    const auto name = name_with({"127.0.0.1"});
    EXPECT_EQ(look_up(*name, start + 1s), Again::no);
    EXPECT_EQ(texts_of(name->addresses(start + 1s)), Texts{"127.0.0.1:3000"});
    EXPECT_TRUE(led_to.empty());
}

TEST_F(NamesTest, FirstFailureIsTold) {
    const auto name = name_with({"127.0.0.1"});
    const auto told = [before = troubles().count(Trouble::names)] {
        return troubles().count(Trouble::names) - before;
    };
    look_up(*name, start + 1s);
    EXPECT_EQ(told(), 1u);
    look_up(*name, start + 2s);
    EXPECT_EQ(told(), 1u);
    system->set({"127.0.0.1"});
    look_up(*name, start + 3s);
    system->set({});
    look_up(*name, start + 4s);
    EXPECT_EQ(told(), 2u);
}

TEST_F(NamesTest, NameWithoutAnAddressMayGetOne) {
    const auto name = name_with({});
    EXPECT_TRUE(name->addresses(start).empty());
    system->set({"::1"});
    EXPECT_EQ(look_up(*name, start + 1s), Again::now);
    EXPECT_EQ(texts_of(name->addresses(start + 1s)), Texts{"[::1]:3000"});
}

TEST_F(NamesTest, LookUpsHaveAPauseBetweenThem) {
    const auto name = name_with({"127.0.0.1"});
    EXPECT_EQ(name->ask(start + 1s - 1ms), Again::no);
    EXPECT_EQ(system->times(), 0);
    system->set({"127.0.0.2"});
    look_up(*name, start + 1s);
    EXPECT_EQ(name->ask(start + 2s - 1ms), Again::now) << "others have asked just before";
    EXPECT_EQ(system->times(), 1);
}

TEST_F(NamesTest, OldAddressesAreUsedWhileTheyAreLookedUpAgain) {
    const auto name = name_with({"127.0.0.1"});
    system->set({"127.0.0.2"});
    EXPECT_EQ(texts_of(name->addresses(start + 30s - 1ms)), Texts{"127.0.0.1:3000"});
    EXPECT_EQ(system->times(), 0);
    name->addresses(start + 30s);
    const http::Waker waker{ended, {}};
    if (name->ask(start + 30s, &waker) == Again::later) ended->await(1);
    EXPECT_EQ(texts_of(name->addresses(start + 30s)), Texts{"127.0.0.2:3000"});
    EXPECT_EQ(system->times(), 1);
}

TEST_F(NamesTest, UsesABoundedNumberOfAddresses) {
    Texts many;
    for (int i = 0; i < 250; ++i) many.push_back("10.0.0." + std::to_string(i));
    const auto name = name_with({});
    system->set(many);
    look_up(*name, start + 1s);
    EXPECT_EQ(name->addresses(start + 1s).size(), addresses_max);
}

TEST_F(NamesTest, NobodyHearsOfTheEndAfterTheStop) {
    const auto name = name_with({"127.0.0.1"});
    look_ups->stop();
    EXPECT_EQ(name->ask(start + 1s), Again::no);
    EXPECT_EQ(system->times(), 0);
}

}  // namespace
}  // namespace weir::upstream

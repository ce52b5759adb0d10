#include "supervisor/state.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;

State whole_state() {
    return {.pid = 4711,
            .command = "weir serve",
            .path = "/usr/bin/a weir\n",
            .control = "unix:/run/weir=/control",
            .control_socket = 3,
            .ready_timeout = milliseconds{30'000},
            .stops_within = milliseconds{10'000},
            .outlives_terminal = true,
            .notifier = 16,
            .watchdog = std::chrono::microseconds{2'500},
            .passed = {{.socket = 17, .text = "a name"}},
            .number = 7,
            .tickets = 4,
            .counters = 18,
            .sockets = {5, 6},
            .serving = KeptGeneration{.number = 7,
                                      .pid = 4720,
                                      .channel = 8,
                                      .pidfd = 9,
                                      .settings = 10,
                                      .stops_within = milliseconds{5'000},
                                      .lived = milliseconds{12},
                                      .version = "1.2.0"},
            .finishing = {{.number = 6,
                           .pid = 4719,
                           .channel = 11,
                           .pidfd = 12,
                           .kill_in = milliseconds{0},
                           .version = "1.1.0"}},
            .callers = {{.socket = 13, .text = "rel"}},
            .waiting = {{.socket = 14, .text = "reload"}, {.socket = -1, .text = "upgrade"}},
            .upgraded = KeptClient{.socket = 15, .text = "generation 7 serves\nx=y"}};
}

TEST(State, IsReadAsItIsWritten) {
    for (const State& state : {whole_state(), State{}}) {
        const std::string text = write_state(state);
        const auto read = read_state(text);
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(write_state(*read), text);
    }
    const auto read = read_state(write_state(whole_state()));
    EXPECT_EQ(read->path, "/usr/bin/a weir\n");
    EXPECT_EQ(read->control, "unix:/run/weir=/control");
    EXPECT_EQ(read->serving->version, "1.2.0");
    EXPECT_EQ(read->watchdog, std::chrono::microseconds{2'500});
    EXPECT_EQ(read->passed.front().text, "a name");
    EXPECT_FALSE(read->serving->kill_in.has_value());
    EXPECT_EQ(read->finishing.front().kill_in, milliseconds{0});
    EXPECT_EQ(read->upgraded->text, "generation 7 serves\nx=y");
}

TEST(State, NamesItsDescriptors) {
    EXPECT_EQ(descriptors_in(whole_state()),
              (std::vector{5, 6, 3, 4, 18, 16, 17, 8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_TRUE(descriptors_in({}).empty());
}

TEST(State, RefusesWhatItDoesNotWrite) {
    using std::string_literals::operator""s;
    for (const std::string& text :
         {""s, "1"s, "2\0"s, "1\0pid=1"s, "1\0pid\0"s, "1\0pid=x\0"s, "1\0pid=1x\0"s,
          "1\0other=1\0"s, "1\0serving=1 2 3\0"s, "1\0ready-timeout=-1\0"s, "1\0caller=x \0"s})
        EXPECT_FALSE(read_state(text).has_value()) << text;
}

}  // namespace
}  // namespace weir::supervisor

#include "net/system/resource_limits.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "unit/server/temporary_directory.h"

namespace weir::net {
namespace {

class ControlGroupLimit : public testing::Test {
   protected:
    void write(const std::filesystem::path& name, const std::string& text) const {
        std::filesystem::create_directories((folder.path() / name).parent_path());
        std::ofstream{folder.path() / name} << text;
    }

    std::uint64_t limit() const {
        return control_group_limit("pids", {"pids.max"},
                                   {.mounted = folder.path(), .own = folder.path() / "own"});
    }

    server::TemporaryDirectory folder;
};

TEST_F(ControlGroupLimit, IsTheLeastOfAGroupAndOfThoseAboveIt) {
    write("own", "0::/outer/inner\n");
    write("outer/inner/pids.max", "max\n");
    EXPECT_EQ(limit(), unlimited);
    write("outer/pids.max", "30\n");
    EXPECT_EQ(limit(), 30U);
    write("outer/inner/pids.max", "40\n");
    EXPECT_EQ(limit(), 30U);
    write("pids.max", "20\n");
    EXPECT_EQ(limit(), 20U);
}

TEST_F(ControlGroupLimit, IsInAFolderOfTheControllerInTheFirstVersion) {
    write("own", "9:name=pids:/\n8:cpu,pids:/box\n4:memory:/other\n0::/\n");
    write("pids/box/pids.max", "12\n");
    write("pids/other/pids.max", "3\n");
    EXPECT_EQ(limit(), 12U);
}

/// In a container, the path is that of the machine's groups.
TEST_F(ControlGroupLimit, IsThatOfTheTopWhereTheGroupIsNotSeen) {
    write("own", "0::/system.slice/box\n");
    write("pids.max", "7\n");
    EXPECT_EQ(limit(), 7U);
}

TEST_F(ControlGroupLimit, IsNoneWhereNothingSaysOne) {
    EXPECT_EQ(limit(), unlimited);
    write("own", "nonsense\n\n0:\n");
    EXPECT_EQ(limit(), unlimited);
}

}  // namespace
}  // namespace weir::net

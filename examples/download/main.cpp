// Downloads that can be resumed: conditions and ranges, for a file and for content that no file
// holds. Try it:
//
//     curl -O http://127.0.0.1:8000/program
//     curl -r 1000000000-1000000019 http://127.0.0.1:8000/lines.txt

#include <weir/web.h>

#include <algorithm>
#include <cstdio>

using namespace weir::web;

namespace {

/// 100,000,000 numbered lines of 20 bytes. Any of them can be made without those before.
class Lines final : public Seekable {
   public:
    std::uint64_t size() const override { return 100'000'000 * line_bytes; }
    std::size_t read(std::uint64_t offset, std::span<char> into) override {
        char line[32];
        std::snprintf(line, sizeof line, "line %014llu\n",
                      static_cast<unsigned long long>(offset / line_bytes));
        const std::size_t begin = offset % line_bytes;
        const std::size_t count = std::min(into.size(), line_bytes - begin);
        std::copy_n(line + begin, count, into.data());
        return count;
    }

   private:
    static constexpr std::size_t line_bytes = 20;
};

}  // namespace

int main(int count, char** arguments) {
    Router router;
    const std::string program = arguments[0];
    router.get("/program", [program](const Call& call) {
        Response response = resource_file(call, "application/octet-stream", program);
        response.add("Content-Disposition", "attachment; filename=\"download\"");
        return response;
    });
    router.get("/lines.txt", [](const Call& call) {
        return resource(call, "text/plain", {.entity_tag = "\"1\""}, std::make_unique<Lines>());
    });

    weir::server::Server server{router,
                                {.addresses = {count > 1 ? arguments[1] : "127.0.0.1:8000"}}};
    if (const auto listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message().c_str());
        return 1;
    }
    std::printf("http://%s/\n", server.addresses()[0].c_str());
    std::fflush(stdout);
    server.run_until_signal();
}

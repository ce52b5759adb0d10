// What a Site costs for a file that is in its cache: of this thread's own table, and of the one
// that all threads share.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "http/request_slot.h"
#include "weir/site/site.h"

namespace {

using namespace weir;  // NOLINT(google-build-using-namespace): a program of its own

class BenchRequest final : public http::Origin {
   public:
    explicit BenchRequest(const std::string& path, const std::string& fields = "")
        : head_{"GET " + path + " HTTP/1.1\r\nHost: www.example.org\r\n" + fields + "\r\n"} {
        if (slot_.parse(head_, limits_) != http::HeadParser::Result::complete)
            throw std::invalid_argument{head_};
        slot_.interpret(*this, 1);
    }
    const http::Request& get() const { return slot_.request(); }
    void append_address(std::string&) const override {}
    std::shared_ptr<http::Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    http::Limits limits_;
    std::string head_;
    http::RequestSlot slot_;
};

/// Two files of 1 KB, the second with an encoded name, and one that is sent from its descriptor.
class BenchSite {
   public:
    BenchSite() {
        std::string name = (std::filesystem::temp_directory_path() / "weir-bench-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
        root_ = name;
        std::ofstream{root_ / "index.html"} << std::string(1024, 'x');
        std::ofstream{root_ / "a b.html"} << std::string(1024, 'x');
        std::ofstream{root_ / "large.bin"} << std::string(1 << 20, 'x');
        site_ = std::move(*site::Site::open({.root = name}));
    }
    ~BenchSite() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    static http::Handler& shared() {
        static const BenchSite only;
        return *only.site_;
    }

   private:
    std::filesystem::path root_;
    std::unique_ptr<site::Site> site_;
};

void ask(benchmark::State& state, const std::string& path, const std::string& fields = "") {
    const BenchRequest request{path, fields};
    http::Handler& site = BenchSite::shared();
    for (auto _ : state) benchmark::DoNotOptimize(site.handle(request.get()));
}

void hit(benchmark::State& state) { ask(state, "/index.html"); }
void hit_as_a_browser_asks(benchmark::State& state) {
    ask(state, "/index.html", "Accept-Encoding: gzip, deflate, br, zstd\r\n");
}
void hit_not_modified(benchmark::State& state) {
    ask(state, "/index.html", "If-None-Match: *\r\n");
}
void hit_of_a_descriptor(benchmark::State& state) { ask(state, "/large.bin"); }
void hit_by_an_encoded_path(benchmark::State& state) { ask(state, "/a%20b.html"); }
void missing(benchmark::State& state) { ask(state, "/nothing.html"); }

BENCHMARK(hit)->ThreadRange(1, 2);
BENCHMARK(hit_as_a_browser_asks);
BENCHMARK(hit_not_modified);
BENCHMARK(hit_of_a_descriptor);
BENCHMARK(hit_by_an_encoded_path);
BENCHMARK(missing);

}  // namespace

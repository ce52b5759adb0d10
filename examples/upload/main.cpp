// Takes files of any size. A piece is written by another thread while the connection waits, so the
// peer sends no faster than the disk writes. Try it:
//
//     curl -T disk.img http://127.0.0.1:8000/files/disk.img
//     curl -F 'file=@photo.jpg' http://127.0.0.1:8000/form

#include <weir/web.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace weir::web;

namespace {

/// A file that is there once it is complete. If the peer leaves before, the coroutine ends, and with
/// it this object: nothing stays behind.
class Upload {
   public:
    explicit Upload(std::filesystem::path path)
        : path_{std::move(path)}, part_{path_.string() + ".part"}, file_{part_, std::ios::binary} {
        file_.exceptions(std::ios::badbit | std::ios::failbit);
    }
    ~Upload() {
        std::error_code ignored;
        std::filesystem::remove(part_, ignored);
    }
    void write(std::string_view bytes) {
        file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        size_ += bytes.size();
    }
    void finish() {
        file_.close();
        std::filesystem::rename(part_, path_);
    }
    std::uint64_t size() const { return size_; }

   private:
    std::filesystem::path path_, part_;
    std::ofstream file_;
    std::uint64_t size_ = 0;
};

/// What a peer names a file must not lead out of the folder, nor hide.
std::filesystem::path checked(const std::filesystem::path& folder, std::string_view name) {
    const bool is_plain = std::ranges::all_of(
        name, [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-' || c == '_'; });
    if (!is_plain || name.empty() || name.front() == '.')
        throw Refusal{Status::bad_request, "A name has letters, digits, '.', '-' and '_'"};
    return folder / name;
}

}  // namespace

int main(int count, char** arguments) {
    const std::filesystem::path folder = count > 2 ? arguments[2] : ".";
    Workers workers;
    Router router;

    router.put("/files/{name}", [&](Call call) -> Task<Response> {
        Upload upload{checked(folder, call.parameter("name"))};
        auto body = call.body();
        while (const auto piece = co_await body.next())
            co_await offload(workers, [&] { upload.write(*piece); });
        co_await offload(workers, [&] { upload.finish(); });
        co_return text(std::to_string(upload.size()) + " bytes\n", Status::created);
    });
    router.post("/form", [&](Call call) -> Task<Response> {
        Multipart form{call, {.part_bytes_max = 1'000'000'000, .bytes_max = 1'000'000'000}};
        std::uint64_t size = 0;
        while (const auto part = co_await form.next())
            if (part->name == "file")
                size += co_await form.save(workers, checked(folder, part->file_name));
        co_return text(std::to_string(size) + " bytes\n", Status::created);
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

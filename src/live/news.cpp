#include "live/news.h"

#include <cerrno>
#include <memory>
#include <system_error>

namespace weir::live {
namespace {

net::Mapping shared_memory(std::size_t size) {
    auto memory = net::Mapping::among_forks(size);
    if (!memory) throw std::system_error{errno, std::generic_category(), "mmap"};
    return memory;
}

}  // namespace

News::News()
    : memory_{shared_memory(sizeof(Shared))}, shared_{std::construct_at(memory_.at<Shared>(0))} {}

}  // namespace weir::live

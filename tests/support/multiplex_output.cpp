#include "support/multiplex_output.h"

#include <algorithm>
#include <utility>

namespace weir::tests::multiplex {
namespace {

// Small frames gather up to here, so that many leave in one send.
constexpr std::size_t gathered_bytes = 16 * 1024;

}  // namespace

Output::Block& Output::add_block() { return blocks_.emplace_back(); }

Output::Block& Output::block_to_append_to() {
    if (blocks_.size() <= blocks_named_) return add_block();
    Block& last = blocks_.back();
    const bool takes_more =
        last.borrowed.empty() && last.file.size == 0 && last.own.size() < gathered_bytes;
    return takes_more ? last : add_block();
}

void Output::append(std::string_view frames, std::optional<Mark> mark) {
    Block& block = block_to_append_to();
    block.own += frames;
    if (mark) block.marks.push_back(*mark);
    size_ += frames.size();
}

void Output::append(std::string_view head, std::string_view payload,
                    std::shared_ptr<const void> owner, Mark mark) {
    append(head);
    Block& block = add_block();
    block.borrowed = payload;
    block.owner = std::move(owner);
    block.marks.push_back(mark);
    size_ += payload.size();
}

void Output::append(std::string_view head, http::FileRange payload,
                    std::shared_ptr<const void> owner, Mark mark) {
    append(head);
    Block& block = add_block();
    block.file = payload;
    block.owner = std::move(owner);
    block.marks.push_back(mark);
    size_ += payload.size;
}

http::Transmission Output::transmit(bool ends) {
    if (named_) return *named_;
    http::Transmission what;
    for (std::size_t part = 0; part < what.parts.size() && blocks_named_ < blocks_.size(); ++part) {
        const Block& block = blocks_[blocks_named_];
        if (block.file.size != 0) break;
        what.parts[part] = block.bytes();
        ++blocks_named_;
    }
    if (blocks_named_ < blocks_.size() && blocks_[blocks_named_].file.size != 0)
        what.file = blocks_[blocks_named_++].file;
    what.ends = ends && blocks_named_ == blocks_.size();
    named_ = what;
    return what;
}

void Output::Block::sent(std::uint64_t size) {
    if (file.size != 0) {
        file.offset += size;
        file.size -= size;
    } else if (!borrowed.empty()) {
        borrowed.remove_prefix(size);
    } else {
        own_sent += size;
    }
}

std::vector<Output::Mark> Output::sent(std::uint64_t size) {
    std::vector<Mark> marks;
    size_ -= size;
    named_.reset();
    blocks_named_ = 0;
    while (size != 0) {
        Block& block = blocks_.front();
        const auto of_block = std::min(size, block.size());
        size -= of_block;
        if (of_block < block.size()) {
            block.sent(of_block);
            break;
        }
        marks.insert(marks.end(), block.marks.begin(), block.marks.end());
        blocks_.pop_front();
    }
    return marks;
}

}  // namespace weir::tests::multiplex

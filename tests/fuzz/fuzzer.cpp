// The entry that libFuzzer calls.

#include "fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using weir::tests::FuzzInput;
    if (size < FuzzInput::control_size) return -1;
    weir::tests::fuzz(FuzzInput::from({reinterpret_cast<const char*>(data), size}));
    return 0;
}

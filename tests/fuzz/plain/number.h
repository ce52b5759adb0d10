#pragma once

namespace weir::tests::plain {

/// An integer in which no sum, product or difference of 64-bit numbers overflows.
__extension__ typedef __int128 Number;  // NOLINT(modernize-use-using): __extension__ needs it

}  // namespace weir::tests::plain

# Asio (Debian's libasio-dev, without Boost) has only headers. WEIR_HAS_ASIO says whether the engine is built.

set(WEIR_HAS_ASIO FALSE)
if(WEIR_WITH_ASIO OR WEIR_WITH_ASIO STREQUAL "AUTO")
    find_path(WEIR_ASIO_INCLUDE_DIR asio.hpp)
    mark_as_advanced(WEIR_ASIO_INCLUDE_DIR)
    if(WEIR_ASIO_INCLUDE_DIR)
        set(WEIR_HAS_ASIO TRUE)
    elseif(NOT WEIR_WITH_ASIO STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_ASIO=${WEIR_WITH_ASIO}, but asio.hpp is not found: install libasio-dev, "
            "or say where it is by -DWEIR_ASIO_INCLUDE_DIR=...")
    endif()
endif()

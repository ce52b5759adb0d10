# toml++ (Debian's libtomlplusplus-dev) reads the file of `weir serve --config`. It is headers alone, and only the command
# uses it. WEIR_HAS_TOML says whether the command is built with it.

set(WEIR_HAS_TOML FALSE)
if(WEIR_WITH_TOML OR WEIR_WITH_TOML STREQUAL "AUTO")
    find_path(WEIR_TOML_INCLUDE_DIR toml++/toml.h)
    mark_as_advanced(WEIR_TOML_INCLUDE_DIR)
    if(WEIR_TOML_INCLUDE_DIR)
        set(WEIR_HAS_TOML TRUE)
    elseif(NOT WEIR_WITH_TOML STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_TOML=${WEIR_WITH_TOML}, but toml++ is not found: install libtomlplusplus-dev, "
            "or say where it is by -DWEIR_TOML_INCLUDE_DIR=...")
    endif()
endif()

# nlohmann/json (Debian's nlohmann-json3-dev) and OpenSSL make `weir serve --domain`; the library weir uses neither.
# WEIR_HAS_ACME says whether they are there.

set(WEIR_HAS_ACME FALSE)
if(WEIR_WITH_JSON OR WEIR_WITH_JSON STREQUAL "AUTO")
    find_path(WEIR_JSON_INCLUDE_DIR nlohmann/json.hpp)
    mark_as_advanced(WEIR_JSON_INCLUDE_DIR)
    if(WEIR_JSON_INCLUDE_DIR AND WEIR_HAS_TLS)
        set(WEIR_HAS_ACME TRUE)
    elseif(NOT WEIR_WITH_JSON STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_JSON=${WEIR_WITH_JSON}, but OpenSSL or nlohmann/json is not found: install libssl-dev "
            "and nlohmann-json3-dev, or say where the latter is by -DWEIR_JSON_INCLUDE_DIR=...")
    endif()
endif()

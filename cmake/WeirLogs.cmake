# glog (Debian's libgoogle-glog-dev) makes the library weir-glog, and spdlog (libspdlog-dev) makes weir-spdlog; the library
# weir links neither. WEIR_HAS_GLOG and WEIR_HAS_SPDLOG say whether they are built.

# weir_find_log(<upper> <package> <debian>)
function(weir_find_log upper package debian)
    set(found FALSE)
    if(WEIR_WITH_${upper} OR WEIR_WITH_${upper} STREQUAL "AUTO")
        find_package(${package} CONFIG QUIET GLOBAL)
        set(found ${${package}_FOUND})
        if(NOT found AND NOT WEIR_WITH_${upper} STREQUAL "AUTO")
            message(FATAL_ERROR "WEIR_WITH_${upper}=${WEIR_WITH_${upper}}, but ${package} is not found: install ${debian}, "
                "or say where it is by -D${package}_DIR=...")
        endif()
    endif()
    set(WEIR_HAS_${upper} ${found} PARENT_SCOPE)
endfunction()

weir_find_log(GLOG glog libgoogle-glog-dev)
weir_find_log(SPDLOG spdlog libspdlog-dev)

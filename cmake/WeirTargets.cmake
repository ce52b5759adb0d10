# weir_floor(<name> [DEPENDS <floor>...] [LINKS <target>...] [SOURCES <file>...])
#
# Adds a floor as the static library weir_<name>. DEPENDS names the floors that it includes (tools/house.py checks
# this), LINKS other targets (libraries for the command). A floor without source files is an interface library.
function(weir_floor name)
    cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "DEPENDS;LINKS;SOURCES")
    list(TRANSFORM floor_DEPENDS PREPEND weir_)
    set(links weir_flags ${floor_DEPENDS} ${floor_LINKS})
    if(floor_SOURCES)
        add_library(weir_${name} STATIC ${floor_SOURCES})
        target_link_libraries(weir_${name} PUBLIC ${links})
        set_target_properties(weir_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
        # The other floors cannot stand in one compilation: their files use the same names in anonymous namespaces, and GCC 12
        # takes minutes for several files of http at once.
        set(compiled_together net rules server site)
        if(WEIR_UNITY AND name IN_LIST compiled_together)
            set_target_properties(weir_${name} PROPERTIES UNITY_BUILD ON)
        endif()
        weir_precompile(weir_${name})
    else()
        add_library(weir_${name} INTERFACE)
        target_link_libraries(weir_${name} INTERFACE ${links})
    endif()
endfunction()

# weir_whole_library(<target> <STATIC|SHARED> <floor>...): joins the objects of several floors in one library, for other
# programs.
function(weir_whole_library target kind)
    set(objects "")
    foreach(floor IN LISTS ARGN)
        get_target_property(type weir_${floor} TYPE)
        if(NOT type STREQUAL "INTERFACE_LIBRARY")
            list(APPEND objects $<TARGET_OBJECTS:weir_${floor}>)
        endif()
    endforeach()
    add_library(${target} ${kind} ${objects})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME weir LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${WEIR_INTERFACE})
    target_compile_features(${target} PUBLIC cxx_std_23)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PUBLIC Threads::Threads PRIVATE $<BUILD_INTERFACE:weir_flags>)
endfunction()

# weir_adapter(<name> LINKS <target>... SOURCES <file>...): adds the static library weir-<name>, which needs another library.
# Programs link it beside either library weir, by the name weir::<name>.
function(weir_adapter name)
    cmake_parse_arguments(PARSE_ARGV 1 adapter "" "" "LINKS;SOURCES")
    add_library(libweir_${name} STATIC ${adapter_SOURCES})
    set_target_properties(libweir_${name} PROPERTIES
        OUTPUT_NAME weir_${name} EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
    target_compile_features(libweir_${name} PUBLIC cxx_std_23)
    # $<1:...>, so that the installed file names weir::weir, which is static or shared there, and not what it is here.
    target_link_libraries(libweir_${name} PUBLIC ${adapter_LINKS} PRIVATE $<BUILD_INTERFACE:weir_flags>
        INTERFACE $<BUILD_INTERFACE:weir::weir> $<INSTALL_INTERFACE:$<1:weir::weir>>)
    if(NOT PROJECT_IS_TOP_LEVEL)
        set_target_properties(libweir_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    add_library(weir::${name} ALIAS libweir_${name})
    set_property(GLOBAL APPEND PROPERTY WEIR_ADAPTERS ${name})
endfunction()

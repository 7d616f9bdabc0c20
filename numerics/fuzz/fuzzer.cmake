if(VERNIER_BUILD_FUZZERS)
  find_program(VERNIER_FUZZING_CLANG clang++-19 REQUIRED)
  add_custom_target(fuzzers)
endif()

# vernier_fuzzer(NAME SOURCES ... INSTRUMENTED ... LIBRARIES ...): one libFuzzer program, build/.../bin/NAME, part of the
# target `fuzzers`. Clang compiles the target and the sources of the readers under it, INSTRUMENTED, with the sanitizers;
# the rest comes from the libraries of this build as it is. Building everything anew would cost CI minutes.
function(vernier_fuzzer name)
  cmake_parse_arguments(fuzzer "" "" "SOURCES;INSTRUMENTED;LIBRARIES" ${ARGN})
  # In the libraries they stay out of the units: GCC compiles callers by what it knows of a function in their unit, so that
  # another definition of it may not take its place there. A build without fuzzers does the same, so that one with them finds
  # its objects.
  list(TRANSFORM fuzzer_INSTRUMENTED PREPEND ${PROJECT_SOURCE_DIR}/)
  set_source_files_properties(${fuzzer_INSTRUMENTED} TARGET_DIRECTORY ${fuzzer_LIBRARIES}
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT VERNIER_BUILD_FUZZERS)
    return()
  endif()
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(sanitizers -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  set(objects)
  list(TRANSFORM fuzzer_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  foreach(source ${fuzzer_SOURCES} ${fuzzer_INSTRUMENTED})
    file(RELATIVE_PATH object ${PROJECT_SOURCE_DIR} ${source})
    set(object ${PROJECT_BINARY_DIR}/fuzz/objects/${object}.o)
    list(APPEND objects ${object})
    get_property(known GLOBAL PROPERTY vernier_fuzz_objects)
    if(object IN_LIST known)
      continue()
    endif()
    set_property(GLOBAL APPEND PROPERTY vernier_fuzz_objects ${object})
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${object}
      COMMAND ${VERNIER_FUZZING_CLANG} -std=c++20 -O1 -gline-tables-only -ffp-contract=off ${sanitizers} -I${PROJECT_SOURCE_DIR} -isystem ${eigen}
        -include ${PROJECT_SOURCE_DIR}/numerics/fuzz/json_layout.hpp -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Fuzzing: compiling ${source}"
      VERBATIM)
  endforeach()
  list(TRANSFORM fuzzer_LIBRARIES REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${VERNIER_FUZZING_CLANG} ${sanitizers} ${objects} ${archives} -lfmt -lmpfi -lmpfr -lgmp -ltbb -lprotobuf-lite -lz -o ${program}
    DEPENDS ${objects} ${fuzzer_LIBRARIES}
    COMMENT "Fuzzing: linking ${name}"
    VERBATIM)
  add_custom_target(build_${name} DEPENDS ${program})
  add_dependencies(fuzzers build_${name})
endfunction()

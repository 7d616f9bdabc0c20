# vernier_add_conformance_test(NAME name PLUGIN target|file | COMMAND program [argument ...]
#                              SPEC file [CONTRACT contract] [DTYPE type] [WAIVERS file]
#                              [OPTIONS option ...] [LABELS label ...] [TIMEOUT seconds])
#
# Adds the test `name` to CTest: `vernier validate` judges an implementation against a spec.
#   PLUGIN    a library target (MODULE or SHARED), or the file of a built one, that exports `vernier_plugin`
#             (vernier_plugin.h: link to vernier::plugin)
#   COMMAND   a program that answers a request file by a response file; `{request}` and `{response}` stand for
#             their names, and are appended where neither is mentioned
#   SPEC      the encoding: a spec file, or a model's config.json
#   CONTRACT  how exact it has to be (vernier list contracts)
#   DTYPE     the type of its tensors: float32 by default
#   WAIVERS   failures that are known (the form is waivers.schema.json beside verdict.schema.json)
#   OPTIONS   further options of `vernier validate`, such as --positions=0:4096
#   LABELS    of the test, besides "vernier"
#   TIMEOUT   of the test, in seconds
# Files are relative to the current source folder. The verdict is written as name.json, name.html, name.junit.xml and
# name.sarif to the folder vernier/ of the current build folder.

# Words as `vernier validate --exec` reads them: quoted as in a shell.
function(_vernier_quoted output)
  set(line "")
  foreach(word IN LISTS ARGN)
    if(NOT word MATCHES "^[A-Za-z0-9_./:=,+@%{}-]+$")
      string(REPLACE "'" "'\\''" word "${word}")
      set(word "'${word}'")
    endif()
    string(APPEND line " ${word}")
  endforeach()
  string(STRIP "${line}" line)
  set(${output} "${line}" PARENT_SCOPE)
endfunction()

# The options that say what is judged: --plugin FILE or --exec LINE.
function(_vernier_subject output name plugin command)
  if((plugin STREQUAL "" AND command STREQUAL "") OR NOT (plugin STREQUAL "" OR command STREQUAL ""))
    message(FATAL_ERROR "vernier_add_conformance_test(${name}): expected either PLUGIN or COMMAND")
  endif()
  if(NOT command STREQUAL "")
    if(NOT command MATCHES "{request}" AND NOT command MATCHES "{response}")
      list(APPEND command "{request}" "{response}")
    endif()
    _vernier_quoted(line ${command})
    set(${output} --exec "${line}" PARENT_SCOPE)
  elseif(TARGET ${plugin})
    get_target_property(type ${plugin} TYPE)
    if(NOT type MATCHES "^(MODULE|SHARED)_LIBRARY$")
      message(FATAL_ERROR "vernier_add_conformance_test(${name}): found the ${type} ${plugin}, expected a MODULE or SHARED library")
    endif()
    set(${output} --plugin "$<TARGET_FILE:${plugin}>" PARENT_SCOPE)
  else()
    get_filename_component(plugin "${plugin}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    set(${output} --plugin "${plugin}" PARENT_SCOPE)
  endif()
endfunction()

function(vernier_add_conformance_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;PLUGIN;SPEC;CONTRACT;DTYPE;WAIVERS;TIMEOUT" "COMMAND;OPTIONS;LABELS")
  if(test_UNPARSED_ARGUMENTS OR test_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "vernier_add_conformance_test: found \"${test_UNPARSED_ARGUMENTS}${test_KEYWORDS_MISSING_VALUES}\", "
      "expected NAME, PLUGIN or COMMAND, SPEC, CONTRACT, DTYPE, WAIVERS, OPTIONS, LABELS, TIMEOUT, each with its value")
  endif()
  if(NOT test_NAME OR NOT test_SPEC)
    message(FATAL_ERROR "vernier_add_conformance_test(${test_NAME}): expected NAME and SPEC")
  endif()
  _vernier_subject(arguments "${test_NAME}" "${test_PLUGIN}" "${test_COMMAND}")
  foreach(keyword IN ITEMS SPEC WAIVERS)
    if(test_${keyword})
      get_filename_component(file "${test_${keyword}}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
      if(NOT EXISTS "${file}")
        message(FATAL_ERROR "vernier_add_conformance_test(${test_NAME}): ${keyword}: ${file} does not exist")
      endif()
      string(TOLOWER --${keyword} option)
      list(APPEND arguments ${option} "${file}")
    endif()
  endforeach()
  foreach(keyword IN ITEMS CONTRACT DTYPE)
    if(test_${keyword})
      string(TOLOWER --${keyword} option)
      list(APPEND arguments ${option} "${test_${keyword}}")
    endif()
  endforeach()
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" stem "${test_NAME}")
  set(verdict "${CMAKE_CURRENT_BINARY_DIR}/vernier/${stem}")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/vernier")
  add_test(NAME ${test_NAME}
    COMMAND vernier::vernier validate --name ${test_NAME} ${arguments} ${test_OPTIONS}
      --json "${verdict}.json" --html "${verdict}.html" --junit "${verdict}.junit.xml" --sarif "${verdict}.sarif"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(${test_NAME} PROPERTIES LABELS "vernier;${test_LABELS}")
  if(test_TIMEOUT)
    set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT})
  endif()
endfunction()

# The files of starting points, and of test vectors, as literals in the library: each stays below the 65535 characters that
# compilers must accept.
set(vernier_starting_files
  numerics/processes/examples/rope.py numerics/plugin/examples/rope_plugin.c
  numerics/plugin/examples/rope_kernel.cpp numerics/plugin/vernier_plugin.h
  reports/exchange/starting_points/tables.py reports/exchange/starting_points/kernel.py
  reports/exchange/starting_points/test_kernel.py
  reports/exchange/vectors/runners/run.c reports/exchange/vectors/runners/run.go reports/exchange/vectors/runners/run.java reports/exchange/vectors/runners/run.mjs
  reports/exchange/vectors/runners/run.py reports/exchange/vectors/runners/run.rs reports/exchange/vectors/selection.json)
set(vernier_starting_entries "")
foreach(name IN LISTS vernier_starting_files)
  file(READ ${PROJECT_SOURCE_DIR}/${name} vernier_starting_text)
  string(APPEND vernier_starting_entries "      {\"${name}\", R\"file(${vernier_starting_text})file\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name})
endforeach()
configure_file(exchange/starting_points/embedded_files.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/embedded_starting_files.cpp @ONLY)

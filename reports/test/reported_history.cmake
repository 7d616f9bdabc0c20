# What `vernier report --history` leaves: the runs that were there, one for each implementation that was judged, and the trend of
# the one that had run before. HISTORY, FOLDER of the report.
file(STRINGS ${HISTORY} runs)
list(LENGTH runs count)
if(NOT count EQUAL 5)
  message(FATAL_ERROR "${HISTORY} holds ${count} runs, expected 5: two that were there, and three that were judged")
endif()
file(STRINGS ${FOLDER}/implementation-a.html trends REGEX "in the last 3 runs.*<svg class=\"sparkline\"")
list(LENGTH trends count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${FOLDER}/implementation-a.html shows ${count} trends, expected 1")
endif()

# Installs the packages of STAGE with NPM, without their own scripts: onnxruntime-node's would download what the
# processor does not need. Where that fails, as without a network, a build goes on: only what needs the packages
# is absent, and the next build tries again.
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${STAGE}
  RESULT_VARIABLE status)
if(status EQUAL 0)
  file(TOUCH ${STAGE}/npm.stamp)
else()
  file(REMOVE_RECURSE ${STAGE}/node_modules)
  message(WARNING "the implementations on npm could not be installed: their tests will be skipped")
endif()

#include "numerics/implementations/command.hpp"

#include <utility>

#include <fmt/core.h>

#include "numerics/implementations/child_process.hpp"
#include "numerics/implementations/command_end.hpp"
#include "numerics/implementations/exchange.hpp"
#include "numerics/implementations/request_folder.hpp"
#include "numerics/implementations/third_party_text.hpp"

namespace vernier {

std::string CommandImplementation::description() const {
  const auto command = std::string("the command ") + third_party_text(command_.text());
  return implementation_.empty() ? command : fmt::format("{} ({})", implementation_, command);
}

Response CommandImplementation::ask(const Request& request) {
  const RequestFolder folder;
  write_request(request, folder.request());
  ChildProcess child({.arguments = command_.words(folder.request(), folder.response())});
  const auto end = child.wait_until(ChildProcess::Clock::now() + options_.time_limit, options_.pause);
  if (!end) {
    child.kill();
    return {ResponseStatus::timed_out,
            with_output("did not answer within " + to_string(options_.time_limit), child.output())};
  }
  if (!std::exchange(was_asked_, true)) {
    require_runnable(command_.as_written(), *end, child.output());
  }
  if (end->kind != ChildEnd::Kind::exited || end->value != 0) {
    return failure_of(*end, child.output());
  }
  auto read = read_response(folder.response(), request);
  implementation_ = read.implementation;
  takes_ = takes_ | read.takes;
  if (read.response.status == ResponseStatus::malformed) {
    read.response.reason = with_output(std::move(read.response.reason), child.output());
  }
  return std::move(read.response);
}

}  // namespace vernier

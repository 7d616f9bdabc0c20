#include "numerics/processes/exchange.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numerics/formats/descriptor.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/processes/system_fault.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::string_view version_key = "vernier_request";
constexpr std::string_view request_version = "1";
constexpr std::string_view positions_name = "positions";
constexpr std::string_view input_name = "input";
constexpr std::size_t longest_name = 100;
/// A header, and tensors that nobody asked for.
constexpr std::uintmax_t spare_bytes = std::uintmax_t{32} << 20;
constexpr std::size_t most_wanted = 64;

const std::string& metadata_of(const Safetensors& file, const std::string& source, std::string_view key) {
  const auto found = file.metadata().find(key);
  refuse_if(found == file.metadata().end(),
            "{}: __metadata__.{}: missing, expected a request as vernier request writes it", source, key);
  return found->second;
}

Shape read_shape(ObjectReader& wanted) {
  constexpr std::string_view expected =
      "an array of counts, each at least 1, of a tensor that fits in memory";
  Shape shape;
  for (const auto& value : wanted.array("shape", expected)) {
    const auto* number = std::get_if<JsonValue::Number>(&value.value());
    const auto rational = number == nullptr ? std::nullopt : parse_rational(number->text);
    const auto count = rational ? as_integer(*rational) : std::nullopt;
    if (!count || *count < 1) {
      wanted.refuse_within("shape", value, expected);
    }
    shape.push_back(static_cast<std::size_t>(*count));
  }
  const auto size = size_in_bytes(ElementType::float64, shape);
  wanted.refuse_if(!size || *size > static_cast<std::uintmax_t>(PTRDIFF_MAX), "shape", expected);
  return shape;
}

ElementType read_type(ObjectReader& wanted) {
  const auto type = element_type_named(wanted.string("dtype"));
  wanted.refuse_if(!type, "dtype", "an element type such as float32");
  return *type;
}

std::vector<WantedTensor> read_wanted(const std::string& text, const std::string& source) {
  const auto document = parse_json(text, source);
  const auto* list = std::get_if<JsonValue::Array>(&document.value());
  refuse_if(list == nullptr || list->empty() || list->size() > most_wanted,
            "{}: found {}, expected an array of one to {} tensors", source, document.found(), most_wanted);
  std::vector<WantedTensor> result;
  for (const auto& one : *list) {
    ObjectReader reader(one, source, fmt::format("[{}]", result.size()));
    WantedTensor wanted{reader.string("role"), read_type(reader), read_shape(reader)};
    reader.finish();
    reader.refuse_if(std::ranges::find(result, wanted.role, &WantedTensor::role) != result.end(), "role",
                     "each role once");
    result.push_back(std::move(wanted));
  }
  return result;
}

Tensor read_positions(const Safetensors& file, const std::string& source) {
  auto positions = file.tensor(positions_name);
  refuse_if(
      positions.type() != ElementType::int64 || positions.shape().empty() || positions.shape().size() > 2,
      "{}: positions: found {} of shape {}, expected int64 [T] or [S, T]", source,
      traits(positions.type()).name, to_string(positions.shape()));
  return positions;
}

/// What an answer could not be, as a clause after "the response".
struct NoAnswer {
  std::string clause;
  ResponseStatus status = ResponseStatus::malformed;
};

std::uintmax_t most_bytes(const Request& request) {
  std::uintmax_t sum = spare_bytes;
  for (const auto& wanted : request.wanted) {
    sum += size_in_bytes(wanted.type, wanted.shape).value_or(0);
  }
  return sum;
}

/// The bytes of the file as it was when it was opened.
std::vector<std::byte> read_bytes(const std::filesystem::path& file, std::uintmax_t most) {
  const Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  constexpr auto failed = "the response cannot be read";
  if (!descriptor.is_open()) {
    require_no_system_fault(failed);
    throw NoAnswer{errno == ENOENT ? "is missing"
                   : errno == ELOOP
                       ? "is a symbolic link, expected a file"
                       : fmt::format("cannot be read ({})", std::generic_category().message(errno))};
  }
  struct stat status {};
  if (fstat(descriptor.value(), &status) != 0) {
    throw std::system_error(errno, std::generic_category(), failed);
  }
  if (!S_ISREG(status.st_mode)) {
    throw NoAnswer{"is not a regular file"};
  }
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (size > most) {
    throw NoAnswer{fmt::format("has {} bytes, expected at most {}", size, most)};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  for (std::size_t done = 0; done < bytes.size();) {
    const auto count = TEMP_FAILURE_RETRY(read(descriptor.value(), bytes.data() + done, bytes.size() - done));
    if (count < 0) {
      require_no_system_fault(failed);
    }
    if (count <= 0) {
      throw NoAnswer{"shrank while it was read"};
    }
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

/// The wanted tensor of a response.
Tensor answer_to(const WantedTensor& wanted, const Safetensors& file, ResponseStatus missing) {
  if (!file.contains(wanted.role)) {
    const auto names = joined(file.names(), [](const std::string& name) { return "`" + name + "`"; });
    throw NoAnswer{names.empty() ? "has no tensor named " + wanted.role
                                 : fmt::format("has {}, expected `{}`", third_party_text(names), wanted.role),
                   missing};
  }
  auto tensor = file.tensor(wanted.role);
  if (auto misfit = misfit_of(tensor, wanted)) {
    throw NoAnswer{*std::move(misfit)};
  }
  return tensor;
}

Response answer(const Safetensors& file, const Request& request, ResponseStatus missing) {
  for (const auto& [key, status] : {std::pair{"unsupported", ResponseStatus::unsupported},
                                    std::pair{"rejected", ResponseStatus::rejected}}) {
    const auto reason = file.metadata().find(key);
    if (reason != file.metadata().end() && file.names().empty()) {
      return {status, third_party_text(reason->second, longest_reason)};
    }
  }
  Response response;
  for (const auto& wanted : request.wanted) {
    response.tensors.emplace(wanted.role, answer_to(wanted, file, missing));
  }
  return response;
}

}  // namespace

void write_request(const Request& request, const std::filesystem::path& file) {
  std::map<std::string, Tensor, std::less<>> tensors{{std::string(positions_name), request.positions}};
  if (request.input) {
    tensors.emplace(input_name, *request.input);
  }
  const OrderedJson wanted = mapped(request.wanted, [](const WantedTensor& one) -> OrderedJson {
    return {{"role", one.role}, {"dtype", traits(one.type).name}, {"shape", one.shape}};
  });
  write_safetensors(file, tensors,
                    {{std::string(version_key), std::string(request_version)},
                     {"spec", request.spec.dump()},
                     {"dtype", std::string(traits(request.wanted.front().type).name)},
                     {"wanted", wanted.dump()}});
}

Request read_request(const std::filesystem::path& file) {
  const auto source = file.string();
  const auto content = read_safetensors(file);
  if (const auto& found = metadata_of(content, source, version_key); found != request_version) {
    throw InputError("{}: __metadata__.{}: found \"{}\", expected \"{}\"", source, version_key,
                     third_party_text(found, longest_name), request_version);
  }
  const auto& spec = metadata_of(content, source, "spec");
  // Refuses what must not reach the other parser: repeated keys, deep nesting.
  parse_json(spec, source + ": __metadata__.spec");
  Request request{OrderedJson::parse(spec), read_positions(content, source), std::nullopt,
                  read_wanted(metadata_of(content, source, "wanted"), source + ": __metadata__.wanted")};
  if (content.contains(input_name)) {
    request.input = content.tensor(input_name);
  }
  return request;
}

ReadResponse read_response(const std::filesystem::path& file, const Request& request, ResponseStatus missing,
                           std::uintmax_t further) {
  try {
    const auto bytes =
        std::make_shared<const std::vector<std::byte>>(read_bytes(file, most_bytes(request) + further));
    const Safetensors content(*bytes, bytes, "the response");
    const auto metadata = [&](std::string_view key) {
      const auto found = content.metadata().find(key);
      return found == content.metadata().end() ? std::string() : found->second;
    };
    const auto takes = takes_of(metadata("takes"));
    return {answer(content, request, missing), third_party_text(metadata("implementation"), longest_name),
            takes};
  } catch (const NoAnswer& none) {
    return {{none.status, std::string("the response ") + none.clause}, "", {}};
  } catch (const InputError& error) {
    return {{ResponseStatus::malformed, third_party_text(error.what(), longest_reason)}, "", {}};
  }
}

}  // namespace vernier

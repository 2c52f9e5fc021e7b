// Validates a signed file and says what was found.
//
// usage: validate FILE TRUST-ANCHOR DATE
#include <fstream>
#include <iostream>
#include <iterator>
#include <lacre.hpp>
#include <string>

static std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: validate FILE TRUST-ANCHOR DATE\n";
    return 2;
  }
  try {
    lacre::validator validator;
    validator.trust_anchor(read_file(argv[2]));
    const lacre::report report =
        validator.validate(lacre::document::from_file(argv[1]), lacre::parse_time(argv[3]));

    for (const lacre::signature signature : report.signatures()) {
      std::cout << lacre_indication_name(signature.indication()) << ' '
                << lacre_sub_indication_name(signature.sub_indication()) << '\n'
                << "  signer         " << signature.signer() << '\n'
                << "  level          " << signature.level() << '\n'
                << "  qualification  " << signature.qualification() << '\n';
      if (const auto time = signature.best_time()) {
        std::cout << "  existed by     " << lacre::format_time(*time) << '\n';
      }
      for (const lacre::finding finding : signature.findings()) {
        std::cout << (finding.severity() == LACRE_SEVERITY_ERROR ? "  error          " : "  note           ")
                  << finding.message() << '\n';
      }
    }
    return report.passed() ? 0 : 1;
  } catch (const lacre::error &error) {
    std::cerr << "validate: error: " << error.what() << '\n';
    if (!error.hint().empty()) {
      std::cerr << "validate: hint: " << error.hint() << '\n';
    }
    return 5;
  }
}

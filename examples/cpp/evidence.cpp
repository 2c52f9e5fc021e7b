// Validates a signed file, keeps everything that the verdict rests on, and judges by that alone again; then judges the
// signer's issuer by itself.
//
// usage: evidence FILE TRUST-ANCHOR DATE
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
    std::cerr << "usage: evidence FILE TRUST-ANCHOR DATE\n";
    return 2;
  }
  try {
    const std::string anchor = read_file(argv[2]);
    const lacre::time_point date = lacre::parse_time(argv[3]);
    const lacre::document document = lacre::document::from_file(argv[1]);
    lacre::validator validator;
    validator.trust_anchor(anchor);

    // The bytes are a file to keep beside the document.
    const auto [report, kept] = validator.validate_bundled(document, date);
    std::cout << lacre_indication_name(report.indication()) << '\n';

    // Years later: by the facts alone, and by reading the document again.
    const lacre::bundle bundle(kept);
    std::cout << "bundle of " << bundle.document_name() << ", judged for "
              << lacre::format_time(bundle.validation_time().value_or(date)) << '\n';
    const auto [of_facts, differences] = bundle.replay();
    const auto [of_document, more] = bundle.replay(document);
    std::cout << "by its facts: " << lacre_indication_name(of_facts.indication()) << '\n'
              << differences.text() << "by the document: " << lacre_indication_name(of_document.indication()) << '\n'
              << more.text();

    const lacre::certificate_report issuer = validator.validate_certificate(anchor, date, "root.der");
    std::cout << "its trust anchor: " << lacre_indication_name(issuer.indication()) << ", "
              << issuer.qualification_at_time_text() << '\n';
    return report.passed() && differences.size() == 0 && more.size() == 0 && issuer.passed() ? 0 : 1;
  } catch (const lacre::error &error) {
    std::cerr << "evidence: error: " << error.what() << '\n';
    return 5;
  }
}

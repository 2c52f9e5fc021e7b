// Makes an authority and a person, and signs with a key that lacre never sees: a function makes the value.
#include <iostream>
#include <lacre.hpp>
#include <stdexcept>

int main() {
  try {
    const auto from = lacre::parse_time("2026-01-01"), time = lacre::parse_time("2026-06-01T12:00:00Z");

    const auto authority_key = lacre::key::generate(LACRE_KEY_ECDSA_P256);
    lacre::certificate_order authority(LACRE_PROFILE_ROOT);
    authority.attribute(LACRE_ATTRIBUTE_COUNTRY, "PT")
        .attribute(LACRE_ATTRIBUTE_ORGANIZATION, "Exemplo SA")
        .attribute(LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-123456789")
        .attribute(LACRE_ATTRIBUTE_COMMON_NAME, "Exemplo Root")
        .validity(from, lacre::parse_time("2036-01-01"));
    const auto root = authority.issue(authority_key);

    const auto vault = lacre::key::generate(LACRE_KEY_ECDSA_P256);
    lacre::certificate_order person(LACRE_PROFILE_NATURAL_PERSON);
    person.attribute(LACRE_ATTRIBUTE_COUNTRY, "PT")
        .attribute(LACRE_ATTRIBUTE_GIVEN_NAME, "Ana")
        .attribute(LACRE_ATTRIBUTE_SURNAME, "Silva")
        .attribute(LACRE_ATTRIBUTE_SERIAL_NUMBER, "PASPT-P3000180")
        .validity(from, lacre::parse_time("2029-01-01"))
        .public_key(vault.public_key());
    const auto certificate = person.issue(authority_key, root);

    // The function asks a card, a token or a service; here a second key plays that part.
    const auto key = lacre::key::from_function(
        certificate, [&](lacre_scheme scheme, lacre_digest digest, lacre::bytes hash) {
          const auto value = vault.sign_hash(hash, digest, scheme);
          return std::vector<std::uint8_t>(value.data(), value.data() + value.size());
        });
    lacre::signing signing(certificate, time);
    signing.set("mime-type", "text/plain").set("role", "Author");
    const lacre::document letter("Dear reader, this is signed.\n");
    const auto signature = signing.sign(letter, key);

    // Or in two steps, where the value comes from far away, perhaps to another process.
    const auto state = signing.prepare(letter).to_json();
    const auto prepared = lacre::prepared::from_json(state);
    const auto value = vault.sign_hash(prepared.hash(), prepared.digest(), prepared.scheme());
    const auto again = prepared.finish(letter, value);

    lacre::validator validator;
    validator.trust_anchor(root);
    for (const auto *made : {&signature, &again}) {
      const auto report = validator.validate(lacre::document(made->file), time);
      const auto first = report.signatures()[0];
      std::cout << first.level() << " by " << first.signer() << ": " << lacre_indication_name(first.indication())
                << ' ' << lacre_sub_indication_name(first.sub_indication()) << '\n';
    }

    // What the function throws does not cross the border: it is an error of the library.
    const auto lost = lacre::key::from_function(
        certificate, [](lacre_scheme, lacre_digest, lacre::bytes) -> std::vector<std::uint8_t> {
          throw std::runtime_error("the card was taken out");
        });
    try {
      signing.sign(letter, lost);
    } catch (const lacre::error &error) {
      std::cout << lacre_status_name(error.code()) << " (" << error.cause() << "): " << error.what() << '\n';
    }
    return 0;
  } catch (const lacre::error &error) {
    std::cerr << "sign: error: " << error.what() << '\n';
    return 5;
  }
}

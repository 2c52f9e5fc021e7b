// Signs a PDF at level T, and extends it to LTA. Everything is offline: an authority of this program's own answers what is
// wanted. A real program asks over HTTP in its place.
//
// usage: sign_pdf FILE.pdf [SIGNED.pdf]
#include <fstream>
#include <iostream>
#include <lacre.hpp>
#include <stdexcept>

using namespace std::chrono_literals;

namespace {

std::vector<std::uint8_t> copy(const lacre::buffer &of) { return {of.data(), of.data() + of.size()}; }

// A certificate for a key; without an issuer a root.
lacre::buffer issue(lacre_profile profile, const std::string &name, const lacre::key &key, lacre::time_point from,
                    const lacre::key &issuer_key, lacre::bytes issuer = {}) {
  lacre::certificate_order order(profile);
  order.attribute(LACRE_ATTRIBUTE_COUNTRY, "PT")
      .attribute(LACRE_ATTRIBUTE_ORGANIZATION, "Exemplo SA")
      .attribute(LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER, "VATPT-123456789")
      .attribute(LACRE_ATTRIBUTE_COMMON_NAME, name)
      .attribute(LACRE_ATTRIBUTE_CRL_URL, "http://pki.example/root.crl")
      .validity(from, from + 24h * 700)
      .public_key(key.public_key());
  return order.issue(issuer_key, issuer);
}

void say(const lacre::report &report) {
  const auto signature = report.signatures()[0];
  std::cout << signature.level() << " by " << signature.signer() << ": "
            << lacre_indication_name(signature.indication()) << ' '
            << lacre_sub_indication_name(signature.sub_indication()) << '\n';
}

void sign(const std::string &path, const char *to) {
  // The authority, its time-stamping unit, a company whose seal it is, and a clock that goes on.
  auto now = lacre::parse_time("2026-06-01T12:00:00Z");
  const auto root_key = lacre::key::generate(LACRE_KEY_ECDSA_P384);
  const auto unit_key = lacre::key::generate(LACRE_KEY_ECDSA_P256);
  const auto key = lacre::key::generate(LACRE_KEY_ECDSA_P256);
  const auto root = issue(LACRE_PROFILE_ROOT, "Exemplo Root", root_key, now - 24h, root_key);
  const auto unit = issue(LACRE_PROFILE_TIMESTAMP_UNIT, "Exemplo Time", unit_key, now - 24h, root_key, root);
  const auto certificate = issue(LACRE_PROFILE_LEGAL_PERSON, "Exemplo Seal", key, now - 24h, root_key, root);

  // Over HTTP: POST, application/timestamp-query.
  const lacre::timestamp_function timestamp = [&](lacre::bytes request) {
    now += 1s;
    return copy(lacre::issue_timestamp(unit, unit_key, request, now));
  };
  // Over HTTP: GET; POST where there is a request for an OCSP response.
  std::uint64_t lists = 0;
  const lacre::evidence_function evidence = [&](const lacre::want &want, std::string_view url, lacre::bytes) {
    if (want.kind() != LACRE_EVIDENCE_CRL) {
      throw std::runtime_error("this authority has revocation lists alone");
    }
    std::cout << "asked " << url << " about " << want.name() << '\n';
    now += 1s;
    return copy(lacre::issue_crl(root, root_key, ++lists, now, now + 24h));
  };

  lacre::validator validator;
  validator.trust_anchor(root);
  const auto document = lacre::document::from_file(path);

  lacre::signing signing(certificate, now);
  signing.set("commitment", "approval").set("locality", "Porto").set("box", "20,20,100,40").set("text", "{name}\n{time}");
  const auto at_t = signing.sign(document, key, timestamp);
  std::cout << at_t.kept << " bytes of the document are as they were\n";
  say(validator.validate(lacre::document(at_t.file), now));

  const lacre::document signed_document(at_t.file);
  lacre::extension extension(validator, signed_document, LACRE_LEVEL_LTA);
  extension.run(now, timestamp, evidence);
  say(extension.report());
  for (const auto signature : extension.signatures()) {
    std::cout << signature.level_before() << ", then " << signature.level_after() << '\n';
  }
  const auto extended = extension.file();

  // The same in a loop of one's own: the next archive time-stamp, a year later.
  now += 24h * 365;
  const lacre::document old(extended.file);
  lacre::extension renewal(validator, old, LACRE_LEVEL_LTA);
  while (!renewal.advance(now)) {
    for (std::size_t index = 0; index < renewal.wants().size(); ++index) {
      const auto want = renewal.wants()[index];
      if (want.kind() == LACRE_EVIDENCE_TIMESTAMP) {
        // A real program takes a nonce from a source of randomness.
        const auto response = timestamp(renewal.timestamp_request(index, "12345678"));
        renewal.timestamp(index, response, now);
      } else if (want.kind() == LACRE_EVIDENCE_CRL) {
        renewal.answer(index, evidence(want, want.url(0), {}));
      } else {
        renewal.failed(index, "", "nobody is asked for that");
      }
    }
  }
  say(renewal.report());

  // What a function throws does not cross the border: it is an error of the library.
  try {
    signing.sign(document, key, [](lacre::bytes) -> std::vector<std::uint8_t> {
      throw std::runtime_error("the authority is on holiday");
    });
  } catch (const lacre::error &error) {
    std::cout << error.cause() << ": " << error.what() << '\n';
  }

  if (to != nullptr) {
    std::ofstream file(to, std::ios::binary);
    file.write(reinterpret_cast<const char *>(extended.file.data()), static_cast<std::streamsize>(extended.file.size()));
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: sign_pdf FILE.pdf [SIGNED.pdf]\n";
    return 2;
  }
  try {
    sign(argv[1], argc > 2 ? argv[2] : nullptr);
    return 0;
  } catch (const lacre::error &error) {
    std::cerr << "sign_pdf: error: " << error.what() << " [" << error.cause() << "]\n";
    return 5;
  }
}

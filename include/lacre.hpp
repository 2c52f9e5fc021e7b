/**
 * @file lacre.hpp
 * lacre for C++17 and newer: lacre.h with owners that free themselves, std::string_view, and one exception type.
 *
 * Header-only; link what lacre.h needs. What is move-only owns a handle. What a report gives (signature, timestamp,
 * certificate, finding, ...) is a light view of it, valid as long as the report lives, and so is each string_view.
 */
#ifndef LACRE_HPP
#define LACRE_HPP

#include "lacre.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__cpp_lib_span) || (__cplusplus >= 202002L && __has_include(<span>))
#include <span>
#define LACRE_HAS_SPAN 1
#endif

namespace lacre {

/** What every failure is thrown as. */
class error : public std::runtime_error {
public:
  error(lacre_status code, const std::string &message, std::string hint, std::string cause = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)), cause_(std::move(cause)) {}

  /** One of lacre_status. */
  lacre_status code() const noexcept { return code_; }

  /** What the user could do about it; empty where there is no advice. */
  const std::string &hint() const noexcept { return hint_; }

  /** What keeps a signature from being made or extended, as a word such as "field-signed"; else empty. */
  const std::string &cause() const noexcept { return cause_; }

private:
  lacre_status code_;
  std::string hint_;
  std::string cause_;
};

/** A moment in UTC. */
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/** Bytes of somebody else, borrowed. */
class bytes {
public:
  bytes() noexcept = default;
  bytes(const void *data, std::size_t size) noexcept
      : data_(static_cast<const std::uint8_t *>(data)), size_(size) {}
  bytes(const std::vector<std::uint8_t> &of) noexcept : data_(of.data()), size_(of.size()) {}
  bytes(std::string_view of) noexcept : bytes(of.data(), of.size()) {}
  bytes(const std::string &of) noexcept : bytes(of.data(), of.size()) {}
  bytes(const char *of) noexcept : bytes(std::string_view(of)) {}
#ifdef LACRE_HAS_SPAN
  bytes(std::span<const std::uint8_t> of) noexcept : bytes(of.data(), of.size()) {}
  bytes(std::span<const std::byte> of) noexcept : bytes(of.data(), of.size()) {}
  operator std::span<const std::uint8_t>() const noexcept { return {data_, size_}; }
#endif

  const std::uint8_t *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  const std::uint8_t *begin() const noexcept { return data_; }
  const std::uint8_t *end() const noexcept { return data_ + size_; }

private:
  const std::uint8_t *data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

inline std::string_view view(lacre_str text) noexcept { return {text.data, text.len}; }

inline std::optional<time_point> moment(std::int64_t time) {
  if (time == LACRE_NO_TIME) {
    return std::nullopt;
  }
  return time_point(std::chrono::milliseconds(time));
}

inline std::int64_t millis(time_point time) noexcept { return time.time_since_epoch().count(); }

/** Throws what a function left behind. */
inline void check(lacre_status code, lacre_error *raised) {
  if (code == LACRE_OK) {
    return;
  }
  const std::unique_ptr<lacre_error, decltype(&lacre_error_free)> owner(raised, &lacre_error_free);
  throw error(code, std::string(view(lacre_error_message(raised))), std::string(view(lacre_error_hint(raised))),
              std::string(view(lacre_error_cause(raised))));
}

template <typename T, lacre_status (*Free)(T *)> struct freeing {
  void operator()(T *handle) const noexcept { Free(handle); }
};

template <typename T, lacre_status (*Free)(T *)> using owner = std::unique_ptr<T, freeing<T, Free>>;

/** Calls a function whose last two parameters are a handle and an error; the handle. */
template <typename T, typename F, typename... Arguments> T *make(F function, Arguments... arguments) {
  T *handle = nullptr;
  lacre_error *raised = nullptr;
  const lacre_status code = function(arguments..., &handle, &raised);
  check(code, raised);
  return handle;
}

/** Calls a function whose last parameter is an error. */
template <typename F, typename... Arguments> void call(F function, Arguments... arguments) {
  lacre_error *raised = nullptr;
  const lacre_status code = function(arguments..., &raised);
  check(code, raised);
}

} // namespace detail

/** The version of the library that was linked. */
inline std::string_view version() noexcept { return lacre_version(); }

/** Reads a date and time as in 2026-11-21T10:00:00Z, or a bare date. */
inline time_point parse_time(const std::string &text) {
  std::int64_t time = LACRE_NO_TIME;
  detail::call([&](lacre_error **raised) { return lacre_time_parse(text.c_str(), &time, raised); });
  return time_point(std::chrono::milliseconds(time));
}

/** Writes a moment as in 2026-11-21T10:00:00Z. */
inline std::string format_time(time_point time) {
  char text[LACRE_TIME_TEXT_SIZE];
  detail::check(lacre_time_format(detail::millis(time), text, sizeof text), nullptr);
  return text;
}

/** This moment: C++ is where the clock is read. */
inline time_point now() { return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

/** Bytes or a text that the library made. */
class buffer {
public:
  explicit buffer(lacre_buffer *handle) noexcept : handle_(handle) {}

  const std::uint8_t *data() const noexcept { return lacre_buffer_data(handle_.get()); }
  std::size_t size() const noexcept { return lacre_buffer_len(handle_.get()); }
  std::string_view text() const noexcept { return {reinterpret_cast<const char *>(data()), size()}; }
  operator bytes() const noexcept { return {data(), size()}; }
#ifdef LACRE_HAS_SPAN
  std::span<const std::uint8_t> span() const noexcept { return {data(), size()}; }
#endif

private:
  detail::owner<lacre_buffer, lacre_buffer_free> handle_;
};

/** The elements of a list of a report, by index and in a range-based for. */
template <typename Element, typename Of> class list {
public:
  using count_function = std::size_t (*)(const Of *);
  using at_function = const typename Element::c_type *(*)(const Of *, std::size_t);

  list(const Of *of, count_function count, at_function at) noexcept : of_(of), count_(count), at_(at) {}

  class iterator {
  public:
    iterator(const list *of, std::size_t index) noexcept : of_(of), index_(index) {}
    Element operator*() const { return (*of_)[index_]; }
    iterator &operator++() noexcept {
      ++index_;
      return *this;
    }
    bool operator==(const iterator &other) const noexcept { return index_ == other.index_; }
    bool operator!=(const iterator &other) const noexcept { return index_ != other.index_; }

  private:
    const list *of_;
    std::size_t index_;
  };

  std::size_t size() const noexcept { return count_(of_); }
  bool empty() const noexcept { return size() == 0; }

  /** Throws std::out_of_range past the last. */
  Element operator[](std::size_t index) const {
    const auto *element = at_(of_, index);
    if (element == nullptr) {
      throw std::out_of_range("lacre: no such element");
    }
    return Element(element);
  }
  iterator begin() const noexcept { return {this, 0}; }
  iterator end() const noexcept { return {this, size()}; }

private:
  const Of *of_;
  count_function count_;
  at_function at_;
};

/** A certificate of a chain. */
class certificate {
public:
  using c_type = lacre_certificate;
  explicit certificate(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_certificate_id(of_)); }
  std::string_view sha256() const noexcept { return detail::view(lacre_certificate_sha256(of_)); }
  std::string_view subject() const noexcept { return detail::view(lacre_certificate_subject(of_)); }
  std::string_view issuer() const noexcept { return detail::view(lacre_certificate_issuer(of_)); }
  std::string_view common_name() const noexcept { return detail::view(lacre_certificate_common_name(of_)); }
  std::string_view serial() const noexcept { return detail::view(lacre_certificate_serial(of_)); }
  std::optional<time_point> not_before() const { return detail::moment(lacre_certificate_not_before(of_)); }
  std::optional<time_point> not_after() const { return detail::moment(lacre_certificate_not_after(of_)); }
  bool is_trusted() const noexcept { return lacre_certificate_is_trusted(of_); }
  std::string_view name() const noexcept { return detail::view(lacre_certificate_name(of_)); }
  std::string_view revocation_status() const noexcept { return detail::view(lacre_certificate_revocation_status(of_)); }
  std::optional<time_point> revocation_time() const { return detail::moment(lacre_certificate_revocation_time(of_)); }
  std::string_view revocation_reason() const noexcept { return detail::view(lacre_certificate_revocation_reason(of_)); }
  std::string_view revocation_producer() const noexcept {
    return detail::view(lacre_certificate_revocation_producer(of_));
  }
  std::optional<time_point> revocation_issued() const {
    return detail::moment(lacre_certificate_revocation_issued(of_));
  }

private:
  const c_type *of_;
};

/** Something that a reader should see. */
class finding {
public:
  using c_type = lacre_finding;
  explicit finding(const c_type *of) noexcept : of_(of) {}

  lacre_severity severity() const noexcept { return static_cast<lacre_severity>(lacre_finding_severity(of_)); }
  std::string_view check() const noexcept { return detail::view(lacre_finding_check(of_)); }
  std::string_view subject() const noexcept { return detail::view(lacre_finding_subject(of_)); }
  std::string_view message() const noexcept { return detail::view(lacre_finding_message(of_)); }
  std::string_view compared() const noexcept { return detail::view(lacre_finding_compared(of_)); }
  std::string_view token() const noexcept { return detail::view(lacre_finding_token(of_)); }

private:
  const c_type *of_;
};

/** A signature and its verdict. */
class signature {
public:
  using c_type = lacre_signature;
  explicit signature(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_signature_id(of_)); }
  std::string_view parent() const noexcept { return detail::view(lacre_signature_parent(of_)); }
  lacre_indication indication() const noexcept { return static_cast<lacre_indication>(lacre_signature_indication(of_)); }
  lacre_sub_indication sub_indication() const noexcept {
    return static_cast<lacre_sub_indication>(lacre_signature_sub_indication(of_));
  }
  std::string_view level() const noexcept { return detail::view(lacre_signature_level(of_)); }
  std::string_view qualification() const noexcept { return detail::view(lacre_signature_qualification(of_)); }
  std::string_view qualification_text() const noexcept { return detail::view(lacre_signature_qualification_text(of_)); }
  std::string_view file() const noexcept { return detail::view(lacre_signature_file(of_)); }
  std::string_view field() const noexcept { return detail::view(lacre_signature_field(of_)); }
  std::optional<time_point> claimed_time() const { return detail::moment(lacre_signature_claimed_time(of_)); }
  std::optional<time_point> best_time() const { return detail::moment(lacre_signature_best_time(of_)); }
  std::string_view signer() const noexcept { return detail::view(lacre_signature_signer(of_)); }
  list<certificate, c_type> chain() const noexcept {
    return {of_, lacre_signature_certificate_count, lacre_signature_certificate};
  }
  std::string_view digest_algorithm() const noexcept { return detail::view(lacre_signature_digest_algorithm(of_)); }
  std::string_view key_algorithm() const noexcept { return detail::view(lacre_signature_key_algorithm(of_)); }
  std::uint32_t key_bits() const noexcept { return lacre_signature_key_bits(of_); }
  std::string_view value_sha256() const noexcept { return detail::view(lacre_signature_value_sha256(of_)); }
  std::size_t scope_count() const noexcept { return lacre_signature_scope_count(of_); }
  std::string_view scope_name(std::size_t index) const noexcept {
    return detail::view(lacre_signature_scope_name(of_, index));
  }
  std::string_view scope_kind(std::size_t index) const noexcept {
    return detail::view(lacre_signature_scope_kind(of_, index));
  }
  std::size_t timestamp_count() const noexcept { return lacre_signature_timestamp_count(of_); }
  std::string_view timestamp_id(std::size_t index) const noexcept {
    return detail::view(lacre_signature_timestamp_id(of_, index));
  }
  list<finding, c_type> findings() const noexcept {
    return {of_, lacre_signature_finding_count, lacre_signature_finding};
  }
  list<finding, c_type> qualification_findings() const noexcept {
    return {of_, lacre_signature_qualification_finding_count, lacre_signature_qualification_finding};
  }

private:
  const c_type *of_;
};

/** A time-stamp and its verdict. */
class timestamp {
public:
  using c_type = lacre_timestamp;
  explicit timestamp(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_timestamp_id(of_)); }
  std::string_view type() const noexcept { return detail::view(lacre_timestamp_type(of_)); }
  std::optional<time_point> time() const { return detail::moment(lacre_timestamp_time(of_)); }
  lacre_indication indication() const noexcept { return static_cast<lacre_indication>(lacre_timestamp_indication(of_)); }
  lacre_sub_indication sub_indication() const noexcept {
    return static_cast<lacre_sub_indication>(lacre_timestamp_sub_indication(of_));
  }
  std::string_view qualification() const noexcept { return detail::view(lacre_timestamp_qualification(of_)); }
  std::string_view qualification_text() const noexcept { return detail::view(lacre_timestamp_qualification_text(of_)); }
  std::string_view signer() const noexcept { return detail::view(lacre_timestamp_signer(of_)); }
  list<certificate, c_type> chain() const noexcept {
    return {of_, lacre_timestamp_certificate_count, lacre_timestamp_certificate};
  }
  list<finding, c_type> findings() const noexcept {
    return {of_, lacre_timestamp_finding_count, lacre_timestamp_finding};
  }
  list<finding, c_type> qualification_findings() const noexcept {
    return {of_, lacre_timestamp_qualification_finding_count, lacre_timestamp_qualification_finding};
  }

private:
  const c_type *of_;
};

/** An evidence record and its verdict. */
class evidence_record {
public:
  using c_type = lacre_evidence_record;
  explicit evidence_record(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_evidence_record_id(of_)); }
  std::string_view type() const noexcept { return detail::view(lacre_evidence_record_type(of_)); }
  std::optional<time_point> time() const { return detail::moment(lacre_evidence_record_time(of_)); }
  lacre_indication indication() const noexcept {
    return static_cast<lacre_indication>(lacre_evidence_record_indication(of_));
  }
  lacre_sub_indication sub_indication() const noexcept {
    return static_cast<lacre_sub_indication>(lacre_evidence_record_sub_indication(of_));
  }
  list<finding, c_type> findings() const noexcept {
    return {of_, lacre_evidence_record_finding_count, lacre_evidence_record_finding};
  }

private:
  const c_type *of_;
};

/** Evidence that could change the verdict. */
class wanted {
public:
  using c_type = lacre_wanted;
  explicit wanted(const c_type *of) noexcept : of_(of) {}

  lacre_evidence_kind kind() const noexcept { return static_cast<lacre_evidence_kind>(lacre_wanted_kind(of_)); }
  std::string_view about() const noexcept { return detail::view(lacre_wanted_about(of_)); }
  std::size_t url_count() const noexcept { return lacre_wanted_url_count(of_); }
  std::string_view url(std::size_t index) const noexcept { return detail::view(lacre_wanted_url(of_, index)); }

private:
  const c_type *of_;
};

/** What was found in a document, and what was concluded. */
class report {
public:
  explicit report(lacre_report *handle) noexcept : handle_(handle) {}

  lacre_indication indication() const noexcept {
    return static_cast<lacre_indication>(lacre_report_indication(handle_.get()));
  }
  bool passed() const noexcept { return indication() == LACRE_INDICATION_TOTAL_PASSED; }
  std::optional<time_point> validation_time() const { return detail::moment(lacre_report_validation_time(handle_.get())); }
  std::string_view policy() const noexcept { return detail::view(lacre_report_policy(handle_.get())); }
  std::string_view document_sha256() const noexcept { return detail::view(lacre_report_document_sha256(handle_.get())); }
  std::size_t passed_count() const noexcept { return lacre_report_passed_count(handle_.get()); }

  list<signature, lacre_report> signatures() const noexcept {
    return {handle_.get(), lacre_report_signature_count, lacre_report_signature};
  }
  list<timestamp, lacre_report> timestamps() const noexcept {
    return {handle_.get(), lacre_report_timestamp_count, lacre_report_timestamp};
  }
  list<evidence_record, lacre_report> evidence_records() const noexcept {
    return {handle_.get(), lacre_report_evidence_record_count, lacre_report_evidence_record};
  }
  list<lacre::wanted, lacre_report> wanted() const noexcept {
    return {handle_.get(), lacre_report_wanted_count, lacre_report_wanted};
  }

  /** Writes it down: one of lacre_format, in a language such as "fr". */
  buffer write(lacre_format format, const std::string &language = "en") const {
    return buffer(detail::make<lacre_buffer>(lacre_report_write, handle_.get(), static_cast<std::int32_t>(format),
                                             language.c_str()));
  }

private:
  detail::owner<lacre_report, lacre_report_free> handle_;
};

/** What was found about one certificate, and what was concluded. */
class certificate_report {
public:
  explicit certificate_report(lacre_certificate_report *handle) noexcept : handle_(handle) {}

  lacre_indication indication() const noexcept {
    return static_cast<lacre_indication>(lacre_certificate_report_indication(handle_.get()));
  }
  bool passed() const noexcept { return indication() == LACRE_INDICATION_PASSED; }
  lacre_sub_indication sub_indication() const noexcept {
    return static_cast<lacre_sub_indication>(lacre_certificate_report_sub_indication(handle_.get()));
  }
  std::string_view qualification_at_issuance() const noexcept {
    return detail::view(lacre_certificate_report_qualification_at_issuance(handle_.get()));
  }
  std::string_view qualification_at_issuance_text() const noexcept {
    return detail::view(lacre_certificate_report_qualification_at_issuance_text(handle_.get()));
  }
  std::string_view qualification_at_time() const noexcept {
    return detail::view(lacre_certificate_report_qualification_at_time(handle_.get()));
  }
  std::string_view qualification_at_time_text() const noexcept {
    return detail::view(lacre_certificate_report_qualification_at_time_text(handle_.get()));
  }
  list<certificate, lacre_certificate_report> chain() const noexcept {
    return {handle_.get(), lacre_certificate_report_certificate_count, lacre_certificate_report_certificate};
  }
  list<finding, lacre_certificate_report> findings() const noexcept {
    return {handle_.get(), lacre_certificate_report_finding_count, lacre_certificate_report_finding};
  }
  list<lacre::wanted, lacre_certificate_report> wanted() const noexcept {
    return {handle_.get(), lacre_certificate_report_wanted_count, lacre_certificate_report_wanted};
  }

  /** Writes it down: LACRE_FORMAT_TEXT or LACRE_FORMAT_JSON, in a language such as "fr". */
  buffer write(lacre_format format, const std::string &language = "en") const {
    return buffer(detail::make<lacre_buffer>(lacre_certificate_report_write, handle_.get(),
                                             static_cast<std::int32_t>(format), language.c_str()));
  }

private:
  detail::owner<lacre_certificate_report, lacre_certificate_report_free> handle_;
};

/** A document, its name, its detached contents, its password. */
class document {
public:
  /** Borrows the bytes as long as the document lives. */
  explicit document(bytes of) : handle_(detail::make<lacre_document>(lacre_document_from_memory, of.data(), of.size())) {}

  /** Maps a file. */
  static document from_file(const std::string &path) {
    return document(detail::make<lacre_document>(lacre_document_from_file, path.c_str()));
  }

  document &name(const std::string &name) {
    detail::call(lacre_document_set_name, handle_.get(), name.c_str());
    return *this;
  }
  document &password(bytes password) {
    detail::call(lacre_document_set_password, handle_.get(), password.data(), password.size());
    return *this;
  }
  /** Borrows the bytes as long as the document lives. */
  document &content(const std::string &name, bytes content) {
    detail::call(lacre_document_add_content, handle_.get(), name.c_str(), content.data(), content.size());
    return *this;
  }
  document &content_file(const std::string &path) {
    detail::call(lacre_document_add_content_file, handle_.get(), path.c_str());
    return *this;
  }

  const lacre_document *get() const noexcept { return handle_.get(); }

private:
  explicit document(lacre_document *handle) noexcept : handle_(handle) {}
  detail::owner<lacre_document, lacre_document_free> handle_;
};

/** A file that was read as a trusted list, and what came of it. */
class list_state {
public:
  using c_type = lacre_list_state;
  explicit list_state(const c_type *of) noexcept : of_(of) {}

  std::string_view name() const noexcept { return detail::view(lacre_list_state_name(of_)); }
  std::string_view role() const noexcept { return detail::view(lacre_list_state_role(of_)); }
  std::string_view territory() const noexcept { return detail::view(lacre_list_state_territory(of_)); }
  std::string_view url() const noexcept { return detail::view(lacre_list_state_url(of_)); }
  std::string_view signer() const noexcept { return detail::view(lacre_list_state_signer(of_)); }
  std::optional<time_point> next_update() const { return detail::moment(lacre_list_state_next_update(of_)); }
  bool is_trusted() const noexcept { return lacre_list_state_is_trusted(of_); }
  std::size_t problem_count() const noexcept { return lacre_list_state_problem_count(of_); }
  std::string_view problem(std::size_t index) const noexcept {
    return detail::view(lacre_list_state_problem(of_, index));
  }

private:
  const c_type *of_;
};

/** The list of lists and the trusted lists that it points at. */
class trusted_lists {
public:
  trusted_lists() : handle_(detail::make<lacre_trusted_lists>(lacre_trusted_lists_new)) {}

  /** Those of a snapshot, to which nothing can be added. */
  static trusted_lists from_snapshot(bytes snapshot) {
    return trusted_lists(
        detail::make<lacre_trusted_lists>(lacre_trusted_lists_from_snapshot, snapshot.data(), snapshot.size()));
  }

  trusted_lists &folder(const std::string &path) {
    detail::call(lacre_trusted_lists_add_folder, handle_.get(), path.c_str());
    return *this;
  }
  trusted_lists &add(const std::string &name, bytes list, std::optional<time_point> loaded = std::nullopt) {
    detail::call(lacre_trusted_lists_add, handle_.get(), name.c_str(), list.data(), list.size(),
                 loaded ? detail::millis(*loaded) : LACRE_NO_TIME);
    return *this;
  }
  trusted_lists &signer(bytes certificate) {
    detail::call(lacre_trusted_lists_add_signer, handle_.get(), certificate.data(), certificate.size());
    return *this;
  }
  /** Throws unless they come from a snapshot that was signed with this certificate. */
  const trusted_lists &check_packer(bytes certificate) const {
    detail::call(lacre_trusted_lists_check_packer, handle_.get(), certificate.data(), certificate.size());
    return *this;
  }
  std::size_t trusted_count() const noexcept { return lacre_trusted_lists_trusted_count(handle_.get()); }

  /** What came of each file; valid until something is added. */
  list<list_state, lacre_trusted_lists> states() const noexcept {
    return {handle_.get(), lacre_trusted_lists_count, lacre_trusted_lists_state};
  }
  buffer to_snapshot() const { return buffer(detail::make<lacre_buffer>(lacre_trusted_lists_to_snapshot, handle_.get())); }

  const lacre_trusted_lists *get() const noexcept { return handle_.get(); }

private:
  explicit trusted_lists(lacre_trusted_lists *handle) noexcept : handle_(handle) {}
  detail::owner<lacre_trusted_lists, lacre_trusted_lists_free> handle_;
};

/** A validation policy, who is trusted, and evidence that documents may lack. */
class validator {
public:
  /** A policy in DSS's form and suites after TS 119 322; without: the built-in policy, and its suites. */
  explicit validator(bytes policy = {}, bytes suite = {})
      : handle_(detail::make<lacre_validator>(lacre_validator_new, policy.data(), policy.size(), suite.data(), suite.size())) {}

  validator &trust_anchor(bytes certificate) {
    detail::call(lacre_validator_add_trust_anchor, handle_.get(), certificate.data(), certificate.size());
    return *this;
  }
  validator &evidence(bytes evidence) {
    detail::call(lacre_validator_add_evidence, handle_.get(), evidence.data(), evidence.size());
    return *this;
  }
  validator &trusted_lists(const lacre::trusted_lists &lists) {
    detail::call(lacre_validator_set_trusted_lists, handle_.get(), lists.get());
    return *this;
  }

  /** Validates every signature of a document, as of one moment. */
  report validate(const document &document, time_point time) const {
    return report(detail::make<lacre_report>(lacre_validate, handle_.get(), document.get(), detail::millis(time)));
  }
  /** The same, and the bytes of an evidence bundle: everything that the report, in that language, rests on. */
  std::pair<report, buffer> validate_bundled(const document &document, time_point time,
                                             const std::string &language = "en") const {
    lacre_buffer *bundle = nullptr;
    report made(detail::make<lacre_report>([&](lacre_report **report_out, lacre_error **raised) {
      return lacre_validate_bundled(handle_.get(), document.get(), detail::millis(time), language.c_str(), report_out,
                                    &bundle, raised);
    }));
    return {std::move(made), buffer(bundle)};
  }
  /** Judges a certificate by itself; the name is for the report. */
  certificate_report validate_certificate(bytes certificate, time_point time, const std::string &name = {}) const {
    return certificate_report(detail::make<lacre_certificate_report>(
        lacre_validate_certificate, handle_.get(), certificate.data(), certificate.size(),
        name.empty() ? nullptr : name.c_str(), detail::millis(time)));
  }
  /** Judges stored facts again; without a time, as of the moment that they state. */
  report judge(bytes facts, std::optional<time_point> time = std::nullopt) const {
    return report(detail::make<lacre_report>(lacre_judge, handle_.get(), facts.data(), facts.size(),
                                             time ? detail::millis(*time) : LACRE_NO_TIME));
  }
  /** Says what is inside, without a verdict: LACRE_FORMAT_TEXT or LACRE_FORMAT_JSON. */
  buffer inspect(const document &document, time_point time, lacre_format format = LACRE_FORMAT_JSON) const {
    return buffer(detail::make<lacre_buffer>(lacre_inspect, handle_.get(), document.get(), detail::millis(time),
                                             static_cast<std::int32_t>(format)));
  }

  const lacre_validator *get() const noexcept { return handle_.get(); }

private:
  detail::owner<lacre_validator, lacre_validator_free> handle_;
};

/** An evidence bundle: what a verdict rests on, to be judged again. */
class bundle {
public:
  explicit bundle(bytes zip) : handle_(detail::make<lacre_bundle>(lacre_bundle_from_memory, zip.data(), zip.size())) {}

  std::string_view document_name() const noexcept { return detail::view(lacre_bundle_document_name(handle_.get())); }
  std::string_view document_sha256() const noexcept { return detail::view(lacre_bundle_document_sha256(handle_.get())); }
  std::optional<time_point> validation_time() const { return detail::moment(lacre_bundle_validation_time(handle_.get())); }
  /** The report as it was written then, as JSON. */
  std::string_view report_of_then() const noexcept { return detail::view(lacre_bundle_report(handle_.get())); }

  /** The report of today, and a line for each difference from then. */
  std::pair<report, buffer> replay() const { return replay(nullptr); }
  std::pair<report, buffer> replay(const document &document) const { return replay(document.get()); }

private:
  std::pair<report, buffer> replay(const lacre_document *document) const {
    lacre_buffer *differences = nullptr;
    report made(detail::make<lacre_report>([&](lacre_report **report_out, lacre_error **raised) {
      return lacre_bundle_replay(handle_.get(), document, report_out, &differences, raised);
    }));
    return {std::move(made), buffer(differences)};
  }

  detail::owner<lacre_bundle, lacre_bundle_free> handle_;
};

/** A private key, wherever it is kept. */
class key {
public:
  /** Makes a signature value over a hash, or over the message for EdDSA and ML-DSA; what it throws becomes lacre::error
   * with LACRE_ERROR_CALLBACK. */
  using signing_function = std::function<std::vector<std::uint8_t>(lacre_scheme, lacre_digest, bytes)>;

  /** Encrypted or not; the password is looked at only where it is. */
  static key from_pkcs8(bytes key_info, bytes password = {}) {
    return key(detail::make<lacre_key>(lacre_key_from_pkcs8, key_info.data(), key_info.size(), password.data(),
                                       password.size()));
  }
  static key generate(lacre_key_kind kind) {
    return key(detail::make<lacre_key>(lacre_key_generate, static_cast<std::int32_t>(kind),
                                       static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
  }
  /** A key that is kept somewhere else; public_key is a SubjectPublicKeyInfo or a certificate. */
  static key from_function(bytes public_key, signing_function sign) {
    auto held = std::make_unique<signing_function>(std::move(sign));
    key made(detail::make<lacre_key>(lacre_key_from_callback, public_key.data(), public_key.size(), &key::call_back,
                                     static_cast<void *>(held.get()), &key::release));
    static_cast<void>(held.release());
    return made;
  }

  buffer to_pkcs8() const { return buffer(detail::make<lacre_buffer>(lacre_key_to_pkcs8, handle_.get())); }
  buffer public_key() const { return buffer(detail::make<lacre_buffer>(lacre_key_public, handle_.get())); }

  /** The signature value over a hash, with nothing around it. */
  buffer sign_hash(bytes hash, lacre_digest digest = LACRE_DIGEST_SHA256, lacre_scheme scheme = LACRE_SCHEME_USUAL) const {
    return buffer(detail::make<lacre_buffer>(lacre_key_sign_hash, handle_.get(), static_cast<std::int32_t>(scheme),
                                             static_cast<std::int32_t>(digest), hash.data(), hash.size(),
                                             static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
  }

  const lacre_key *get() const noexcept { return handle_.get(); }

private:
  explicit key(lacre_key *handle) noexcept : handle_(handle) {}

  static std::int32_t call_back(void *user_data, std::int32_t scheme, std::int32_t digest, const std::uint8_t *hash,
                                std::size_t hash_len, std::uint8_t *value, std::size_t value_capacity,
                                std::size_t *value_len) noexcept {
    try {
      const auto &sign = *static_cast<const signing_function *>(user_data);
      const std::vector<std::uint8_t> made =
          sign(static_cast<lacre_scheme>(scheme), static_cast<lacre_digest>(digest), bytes(hash, hash_len));
      if (made.size() > value_capacity) {
        return -2;
      }
      for (std::size_t at = 0; at < made.size(); ++at) {
        value[at] = made[at];
      }
      *value_len = made.size();
      return 0;
    } catch (...) {
      // No exception may cross the border; the number stands in the error.
      return -1;
    }
  }
  static void release(void *user_data) noexcept { delete static_cast<signing_function *>(user_data); }

  detail::owner<lacre_key, lacre_key_free> handle_;
};

/** A new file: all of it, and with how many bytes of the document it begins. */
struct output {
  buffer file;
  std::size_t kept;

  /** What a copy of the document lacks, where the file begins with all of it, as a PDF does. */
  bytes appended() const noexcept { return {file.data() + kept, file.size() - kept}; }
};

/** Something that an extension wants: a time-stamp, or a piece of evidence. */
class want {
public:
  using c_type = lacre_want;
  explicit want(const c_type *of) noexcept : of_(of) {}

  lacre_evidence_kind kind() const noexcept { return static_cast<lacre_evidence_kind>(lacre_want_kind(of_)); }
  std::string_view about() const noexcept { return detail::view(lacre_want_about(of_)); }
  std::string_view name() const noexcept { return detail::view(lacre_want_name(of_)); }
  std::string_view digest() const noexcept { return detail::view(lacre_want_digest(of_)); }
  std::size_t url_count() const noexcept { return lacre_want_url_count(of_); }
  std::string_view url(std::size_t index) const noexcept { return detail::view(lacre_want_url(of_, index)); }
  std::optional<time_point> not_before() const { return detail::moment(lacre_want_not_before(of_)); }
  std::optional<time_point> retry_at() const { return detail::moment(lacre_want_retry_at(of_)); }
  buffer imprint() const { return buffer(detail::make<lacre_buffer>(lacre_want_imprint, of_)); }
  buffer certificate() const { return buffer(detail::make<lacre_buffer>(lacre_want_certificate, of_)); }
  buffer ocsp_request() const { return buffer(detail::make<lacre_buffer>(lacre_want_ocsp_request, of_)); }

private:
  const c_type *of_;
};

/** Asks a time-stamping authority: a TimeStampReq goes in, a TimeStampResp comes out. What it throws becomes lacre::error
 * with LACRE_ERROR_CALLBACK and the same words. */
using timestamp_function = std::function<std::vector<std::uint8_t>(bytes request)>;

/** Asks for a piece of evidence at an address, by POST where there is an OCSPRequest. What it throws is why there is
 * none at this address. */
using evidence_function = std::function<std::vector<std::uint8_t>(const want &, std::string_view url, bytes request)>;

namespace detail {

/** Gives what a function makes to an answer; no exception may cross the border. */
template <typename F> std::int32_t answer(lacre_answer *to, F make) noexcept {
  try {
    const std::vector<std::uint8_t> made = make();
    return lacre_answer_set(to, made.data(), made.size()) == LACRE_OK ? 0 : -2;
  } catch (const std::exception &thrown) {
    lacre_answer_fail(to, thrown.what());
  } catch (...) {
  }
  return -1;
}

struct sources {
  const timestamp_function *timestamp;
  const evidence_function *evidence;
};

inline std::int32_t ask_timestamp(void *user_data, const std::uint8_t *request, std::size_t request_len,
                                  lacre_answer *to) noexcept {
  const auto &ask = *static_cast<const sources *>(user_data)->timestamp;
  return answer(to, [&] { return ask(bytes(request, request_len)); });
}

inline std::int32_t ask_evidence(void *user_data, const lacre_want *wanted, const char *url,
                                 const std::uint8_t *request, std::size_t request_len, lacre_answer *to) noexcept {
  const auto &ask = *static_cast<const sources *>(user_data)->evidence;
  return answer(to, [&] { return ask(want(wanted), url, bytes(request, request_len)); });
}

/** Calls a function whose last three parameters are a file, how much of it is kept, and an error. */
template <typename F, typename... Arguments> output make_output(F function, Arguments... arguments) {
  std::size_t kept = 0;
  buffer file(make<lacre_buffer>([&](lacre_buffer **file_out, lacre_error **raised) {
    return function(arguments..., file_out, &kept, raised);
  }));
  return {std::move(file), kept};
}

inline const lacre_document *get(const document *of) noexcept { return of == nullptr ? nullptr : of->get(); }

} // namespace detail

/** The request for a time-stamp over an imprint: a TimeStampReq. The nonce is 8 to 16 random bytes, or none. */
inline buffer timestamp_request(bytes imprint, bytes nonce, lacre_digest digest = LACRE_DIGEST_SHA256,
                                const std::string &policy = {}) {
  return buffer(detail::make<lacre_buffer>(lacre_timestamp_request, static_cast<std::int32_t>(digest), imprint.data(),
                                           imprint.size(), nonce.data(), nonce.size(),
                                           policy.empty() ? nullptr : policy.c_str()));
}

/** The token of a response, once the response is known to answer the request. */
inline buffer timestamp_token(bytes request, bytes response, time_point time) {
  return buffer(detail::make<lacre_buffer>(lacre_timestamp_token, request.data(), request.size(), response.data(),
                                           response.size(), detail::millis(time)));
}

/** A signature that lacks only its value. Without a document: one over the digest of a content. */
class prepared {
public:
  explicit prepared(lacre_prepared *handle) noexcept : handle_(handle) {}

  /** What to_json() wrote, in this process or another. */
  static prepared from_json(bytes json) {
    return prepared(detail::make<lacre_prepared>(lacre_prepared_from_json, json.data(), json.size()));
  }

  buffer to_be_signed() const { return buffer(detail::make<lacre_buffer>(lacre_prepared_to_be_signed, handle_.get())); }
  buffer hash() const { return buffer(detail::make<lacre_buffer>(lacre_prepared_hash, handle_.get())); }
  bool needs_message() const noexcept { return lacre_prepared_needs_message(handle_.get()); }
  lacre_scheme scheme() const noexcept { return static_cast<lacre_scheme>(lacre_prepared_scheme(handle_.get())); }
  lacre_digest digest() const noexcept { return static_cast<lacre_digest>(lacre_prepared_digest(handle_.get())); }
  std::string_view packaging() const noexcept { return lacre_prepared_packaging(handle_.get()); }
  buffer to_json() const { return buffer(detail::make<lacre_buffer>(lacre_prepared_to_json, handle_.get())); }

  output finish(const document &document, bytes value) const { return finish(&document, value); }
  output finish(bytes value) const { return finish(nullptr, value); }
  buffer timestamp_imprint(bytes value, lacre_digest digest = LACRE_DIGEST_SHA256) const {
    return buffer(detail::make<lacre_buffer>(lacre_prepared_timestamp_imprint, handle_.get(), value.data(),
                                             value.size(), static_cast<std::int32_t>(digest)));
  }
  output finish_with_timestamp(const document &document, bytes value, bytes token) const {
    return finish_with_timestamp(&document, value, token);
  }
  output finish_with_timestamp(bytes value, bytes token) const { return finish_with_timestamp(nullptr, value, token); }
  output sign(const document &document, const key &key) const { return sign(&document, key); }
  output sign(const key &key) const { return sign(nullptr, key); }

private:
  output finish(const document *document, bytes value) const {
    return detail::make_output(lacre_prepared_finish, handle_.get(), detail::get(document), value.data(), value.size());
  }
  output finish_with_timestamp(const document *document, bytes value, bytes token) const {
    return detail::make_output(lacre_prepared_finish_with_timestamp, handle_.get(), detail::get(document), value.data(),
                               value.size(), token.data(), token.size());
  }
  output sign(const document *document, const key &key) const {
    return detail::make_output(lacre_prepared_sign, handle_.get(), detail::get(document), key.get(),
                               static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr));
  }

  detail::owner<lacre_prepared, lacre_prepared_free> handle_;
};

/** A signature field of a PDF. */
class field {
public:
  using c_type = lacre_field;
  explicit field(const c_type *of) noexcept : of_(of) {}

  std::string_view name() const noexcept { return detail::view(lacre_field_name(of_)); }
  bool is_signed() const noexcept { return lacre_field_is_signed(of_); }
  /** The number of its page, from 1 on; 0 where it is on none. */
  std::uint32_t page() const noexcept { return lacre_field_page(of_); }
  /** Left, bottom, right and top, where it is seen. */
  std::optional<std::array<double, 4>> rectangle() const {
    std::array<double, 4> numbers{};
    return lacre_field_rectangle(of_, numbers.data()) ? std::optional(numbers) : std::nullopt;
  }
  std::string_view lock() const noexcept { return detail::view(lacre_field_lock(of_)); }
  std::size_t locked_count() const noexcept { return lacre_field_locked_count(of_); }
  std::string_view locked(std::size_t index) const noexcept { return detail::view(lacre_field_locked(of_, index)); }
  std::int32_t permission() const noexcept { return lacre_field_permission(of_); }
  /** What it asks of its signer; lacre_field_asks() lists the names. */
  std::string_view asks(const std::string &key, std::size_t index = 0) const noexcept {
    return detail::view(lacre_field_asks(of_, key.c_str(), index));
  }

private:
  const c_type *of_;
};

/** The signature fields of a PDF, signed and empty ones. */
class fields {
public:
  explicit fields(const document &document) : handle_(detail::make<lacre_fields>(lacre_fields_of, document.get())) {}

  list<field, lacre_fields> all() const noexcept { return {handle_.get(), lacre_fields_count, lacre_fields_at}; }

private:
  detail::owner<lacre_fields, lacre_fields_free> handle_;
};

/** A signature to be made, of the profiles CAdES and PAdES. lacre_signing_set() lists the options. */
class signing {
public:
  signing(bytes certificate, time_point time, lacre_digest digest = LACRE_DIGEST_SHA256,
          lacre_scheme scheme = LACRE_SCHEME_USUAL)
      : handle_(detail::make<lacre_signing>(lacre_signing_new, certificate.data(), certificate.size(),
                                            static_cast<std::int32_t>(scheme), static_cast<std::int32_t>(digest),
                                            detail::millis(time))) {}

  signing &certificate(bytes certificate) {
    detail::call(lacre_signing_add_certificate, handle_.get(), certificate.data(), certificate.size());
    return *this;
  }
  signing &set(const std::string &key, const std::string &value) {
    detail::call(lacre_signing_set, handle_.get(), key.c_str(), value.c_str());
    return *this;
  }
  signing &set_bytes(const std::string &key, bytes value) {
    detail::call(lacre_signing_set_bytes, handle_.get(), key.c_str(), value.data(), value.size());
    return *this;
  }

  buffer content_digest(const document &document, lacre_digest digest = LACRE_DIGEST_SHA256) const {
    return buffer(detail::make<lacre_buffer>(lacre_signing_content_digest, handle_.get(), document.get(),
                                             static_cast<std::int32_t>(digest)));
  }
  prepared prepare(const document &document) const { return prepare(&document); }
  /** Where the option content-digest stands for the document. */
  prepared prepare() const { return prepare(nullptr); }

  output sign(const document &document, const key &key) const { return sign(&document, key); }
  output sign(const key &key) const { return sign(nullptr, key); }
  /** Level T at once. */
  output sign(const document &document, const key &key, const timestamp_function &timestamp) const {
    return sign(&document, key, timestamp);
  }
  output sign(const key &key, const timestamp_function &timestamp) const { return sign(nullptr, key, timestamp); }

private:
  prepared prepare(const document *document) const {
    return prepared(detail::make<lacre_prepared>(lacre_signing_prepare, handle_.get(), detail::get(document)));
  }
  output sign(const document *document, const key &key) const {
    return detail::make_output(lacre_signing_sign, handle_.get(), detail::get(document), key.get(),
                               static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr));
  }
  output sign(const document *document, const key &key, const timestamp_function &timestamp) const {
    detail::sources sources{&timestamp, nullptr};
    return detail::make_output(lacre_signing_sign_with_timestamp, handle_.get(), detail::get(document), key.get(),
                               timestamp ? &detail::ask_timestamp : nullptr, static_cast<void *>(&sources),
                               static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr));
  }

  detail::owner<lacre_signing, lacre_signing_free> handle_;
};

/** What became of a signature of an extended document. */
class extended_signature {
public:
  using c_type = lacre_extended_signature;
  explicit extended_signature(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_extended_signature_id(of_)); }
  std::string_view new_id() const noexcept { return detail::view(lacre_extended_signature_new_id(of_)); }
  std::string_view level_before() const noexcept { return detail::view(lacre_extended_signature_level_before(of_)); }
  std::string_view level_after() const noexcept { return detail::view(lacre_extended_signature_level_after(of_)); }
  lacre_indication indication_before() const noexcept {
    return static_cast<lacre_indication>(lacre_extended_signature_indication_before(of_));
  }
  lacre_indication indication_after() const noexcept {
    return static_cast<lacre_indication>(lacre_extended_signature_indication_after(of_));
  }
  std::string_view cause() const noexcept { return detail::view(lacre_extended_signature_cause(of_)); }
  std::string_view message() const noexcept { return detail::view(lacre_extended_signature_message(of_)); }
  std::string_view hint() const noexcept { return detail::view(lacre_extended_signature_hint(of_)); }

private:
  const c_type *of_;
};

/** What it would take to extend a signature. */
class signature_outlook {
public:
  using c_type = lacre_signature_outlook;
  explicit signature_outlook(const c_type *of) noexcept : of_(of) {}

  std::string_view id() const noexcept { return detail::view(lacre_signature_outlook_id(of_)); }
  std::string_view level() const noexcept { return detail::view(lacre_signature_outlook_level(of_)); }
  std::string_view cause() const noexcept { return detail::view(lacre_signature_outlook_cause(of_)); }
  std::string_view message() const noexcept { return detail::view(lacre_signature_outlook_message(of_)); }
  std::string_view hint() const noexcept { return detail::view(lacre_signature_outlook_hint(of_)); }
  std::size_t timestamp_count() const noexcept { return lacre_signature_outlook_timestamp_count(of_); }
  list<want, lacre_signature_outlook> wants() const noexcept {
    return {of_, lacre_signature_outlook_want_count, lacre_signature_outlook_want};
  }

private:
  const c_type *of_;
};

/** What it would take to extend a document. */
class outlook {
public:
  explicit outlook(lacre_outlook *handle) noexcept : handle_(handle) {}

  list<signature_outlook, lacre_outlook> signatures() const noexcept {
    return {handle_.get(), lacre_outlook_count, lacre_outlook_signature};
  }

private:
  detail::owner<lacre_outlook, lacre_outlook_free> handle_;
};

/** A document that is being extended or time-stamped. The document has to outlive it, and may not be changed. */
class extension {
public:
  extension(const validator &validator, const document &document, lacre_level level)
      : handle_(detail::make<lacre_extension>(lacre_extension_new, validator.get(), document.get(),
                                              static_cast<std::int32_t>(level))) {}

  /** A document time-stamp in a PDF; of any other file the token itself. */
  static extension of_timestamp(const validator &validator, const document &document) {
    return extension(detail::make<lacre_extension>(lacre_extension_new_timestamp, validator.get(), document.get()));
  }
  /** An evidence record of a token that stands beside a file, or of such a record. */
  static extension of_renewal(const validator &validator, const document &document) {
    return extension(detail::make<lacre_extension>(lacre_extension_new_renewal, validator.get(), document.get()));
  }

  extension &set(const std::string &key, const std::string &value) {
    detail::call(lacre_extension_set, handle_.get(), key.c_str(), value.c_str());
    return *this;
  }

  /** What it would take, without doing it. */
  lacre::outlook outlook(time_point time) const {
    return lacre::outlook(detail::make<lacre_outlook>(lacre_extension_outlook, handle_.get(), detail::millis(time)));
  }

  /** Goes on until it is done, and asks the functions for what is wanted. */
  extension &run(time_point time, const timestamp_function &timestamp, const evidence_function &evidence = nullptr) {
    detail::sources sources{&timestamp, &evidence};
    detail::call(lacre_extension_run, handle_.get(), detail::millis(time), timestamp ? &detail::ask_timestamp : nullptr,
                 evidence ? &detail::ask_evidence : nullptr, static_cast<void *>(&sources),
                 static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr));
    return *this;
  }

  /** Takes a step; whether it is done. Otherwise wants() is to be answered. */
  bool advance(time_point time) {
    bool done = false;
    detail::call([&](lacre_error **raised) {
      return lacre_extension_advance(handle_.get(), detail::millis(time), &done, raised);
    });
    return done;
  }
  /** Valid until the next step. */
  list<want, lacre_extension> wants() const noexcept {
    return {handle_.get(), lacre_extension_want_count, lacre_extension_want};
  }
  void answer(std::size_t index, bytes evidence) {
    detail::call(lacre_extension_answer, handle_.get(), index, evidence.data(), evidence.size());
  }
  buffer timestamp_request(std::size_t index, bytes nonce, const std::string &policy = {}) {
    return buffer(detail::make<lacre_buffer>(lacre_extension_timestamp_request, handle_.get(), index, nonce.data(),
                                             nonce.size(), policy.empty() ? nullptr : policy.c_str()));
  }
  void timestamp(std::size_t index, bytes response, time_point time) {
    detail::call(lacre_extension_timestamp, handle_.get(), index, response.data(), response.size(),
                 detail::millis(time));
  }
  void failed(std::size_t index, const std::string &url, const std::string &reason) {
    detail::call(lacre_extension_failed, handle_.get(), index, url.empty() ? nullptr : url.c_str(), reason.c_str());
  }

  /** The new file, once it is done. */
  output file() const { return detail::make_output(lacre_extension_file, handle_.get()); }
  /** The judgement of the new file, once it is done. */
  lacre::report report() const {
    return lacre::report(detail::make<lacre_report>(lacre_extension_report, handle_.get()));
  }
  list<extended_signature, lacre_extension> signatures() const noexcept {
    return {handle_.get(), lacre_extension_signature_count, lacre_extension_signature};
  }

private:
  explicit extension(lacre_extension *handle) noexcept : handle_(handle) {}
  detail::owner<lacre_extension, lacre_extension_free> handle_;
};

/** A certificate to be issued. */
class certificate_order {
public:
  explicit certificate_order(lacre_profile profile)
      : handle_(detail::make<lacre_certificate_order>(lacre_certificate_order_new, static_cast<std::int32_t>(profile))) {}

  certificate_order &attribute(lacre_attribute attribute, const std::string &value) {
    detail::call(lacre_certificate_order_set_attribute, handle_.get(), static_cast<std::int32_t>(attribute),
                 value.c_str());
    return *this;
  }
  certificate_order &validity(time_point from, time_point to) {
    detail::call(lacre_certificate_order_set_validity, handle_.get(), detail::millis(from), detail::millis(to));
    return *this;
  }
  certificate_order &public_key(bytes key) {
    detail::call(lacre_certificate_order_set_public_key, handle_.get(), key.data(), key.size());
    return *this;
  }
  certificate_order &request(bytes request) {
    detail::call(lacre_certificate_order_set_request, handle_.get(), request.data(), request.size());
    return *this;
  }

  /** The certificate in DER. Without an issuer the key signs its own: a root. */
  buffer issue(const key &issuer_key, bytes issuer = {}) const {
    return buffer(detail::make<lacre_buffer>(lacre_issue, handle_.get(), issuer.data(), issuer.size(), issuer_key.get(),
                                             static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
  }

private:
  detail::owner<lacre_certificate_order, lacre_certificate_order_free> handle_;
};

/** A revocation list of an authority that has revoked nobody. */
inline buffer issue_crl(bytes issuer, const key &issuer_key, std::uint64_t number, time_point this_update,
                        time_point next_update) {
  return buffer(detail::make<lacre_buffer>(lacre_issue_crl, issuer.data(), issuer.size(), issuer_key.get(), number,
                                           detail::millis(this_update), detail::millis(next_update),
                                           static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
}

/** The response of a time-stamping unit of your own to a TimeStampReq. */
inline buffer issue_timestamp(bytes unit, const key &unit_key, bytes request, time_point time) {
  return buffer(detail::make<lacre_buffer>(lacre_issue_timestamp, unit.data(), unit.size(), unit_key.get(),
                                           request.data(), request.size(), detail::millis(time),
                                           static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
}

} // namespace lacre

#endif // LACRE_HPP

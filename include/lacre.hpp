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
  error(lacre_status code, const std::string &message, std::string hint)
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}

  /** One of lacre_status. */
  lacre_status code() const noexcept { return code_; }

  /** What the user could do about it; empty where there is no advice. */
  const std::string &hint() const noexcept { return hint_; }

private:
  lacre_status code_;
  std::string hint_;
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
  throw error(code, std::string(view(lacre_error_message(raised))), std::string(view(lacre_error_hint(raised))));
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
  /** Makes a signature value over a hash; what it throws becomes lacre::error with LACRE_ERROR_CALLBACK. */
  using signing_function = std::function<std::vector<std::uint8_t>(lacre_scheme, lacre_digest, bytes)>;

  static key from_pkcs8(bytes key_info) {
    return key(detail::make<lacre_key>(lacre_key_from_pkcs8, key_info.data(), key_info.size()));
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

/** A CAdES-BASELINE-B signature that is being made. */
class cades {
public:
  cades(bytes certificate, time_point time, lacre_digest digest = LACRE_DIGEST_SHA256,
        lacre_scheme scheme = LACRE_SCHEME_USUAL)
      : handle_(detail::make<lacre_cades>(lacre_cades_new, certificate.data(), certificate.size(),
                                          static_cast<std::int32_t>(scheme), static_cast<std::int32_t>(digest),
                                          detail::millis(time))) {}

  cades &certificate(bytes certificate) {
    detail::call(lacre_cades_add_certificate, handle_.get(), certificate.data(), certificate.size());
    return *this;
  }
  cades &content(bytes content) {
    detail::call(lacre_cades_set_content, handle_.get(), content.data(), content.size());
    return *this;
  }
  cades &content_hash(bytes hash) {
    detail::call(lacre_cades_set_content_hash, handle_.get(), hash.data(), hash.size());
    return *this;
  }

  buffer hash() const { return buffer(detail::make<lacre_buffer>(lacre_cades_hash, handle_.get())); }
  buffer assemble(bytes value) const {
    return buffer(detail::make<lacre_buffer>(lacre_cades_assemble, handle_.get(), value.data(), value.size()));
  }
  buffer sign(const key &key) const {
    return buffer(detail::make<lacre_buffer>(lacre_cades_sign, handle_.get(), key.get(),
                                             static_cast<lacre_random_callback>(nullptr), static_cast<void *>(nullptr)));
  }

private:
  detail::owner<lacre_cades, lacre_cades_free> handle_;
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

} // namespace lacre

#endif // LACRE_HPP

//! The laboratory that the tests of lacre share.
//!
//! - Documents written by hand, rightly or not: [`lab`] with [`cms`], [`pdf`], [`xml`], [`jws`], [`zip`](mod@zip), [`ers`], and
//!   the certificates, CRLs and OCSP responses of [`pki`], all in the DER of [`der`]. They are the same in every run.
//! - Authorities as `lacre_core::issuance` makes them: [`authorities`], over decades [`decades`], served over HTTP by [`served`]; trusted lists:
//!   [`trusted_list`], served by [`published`]; a remote signing service: [`csc`]; the web server itself: [`http`].
//! - Public suites: [`vectors`], [`pkits`], with [`path_policy`]; the public corpus: [`files`].
//! - Facts of very many tokens: [`many`]; damage: [`random`]. Pages of the documentation: [`pages`].

pub mod authorities;
pub mod cms;
pub mod csc;
pub mod decades;
pub mod der;
pub mod ers;
pub mod files;
pub mod http;
pub mod jws;
pub mod lab;
pub mod many;
pub mod pages;
pub mod path_policy;
pub mod pdf;
pub mod pki;
pub mod pkits;
pub mod published;
pub mod random;
pub mod served;
pub mod trusted_list;
pub mod vectors;
pub mod xml;
pub mod zip;

//! Time-stamp tokens: RFC 3161.
//!
//! A [`Token`] is a CMS `SignedData` over a [`TstInfo`]. Alone it says when and of which
//! digest; what that digest is of, the place where the token was found says.

mod standalone;
#[cfg(test)]
mod tests;
mod token;
mod tst_info;

pub use standalone::standalone;
pub use token::{Imprint, Token};
pub use tst_info::TstInfo;

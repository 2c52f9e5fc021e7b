//! CAdES signatures that are made here are read again: by lacre itself and by OpenSSL.

mod desk;
mod finishing;
mod further_signers;
mod signatures;

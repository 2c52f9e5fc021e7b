//! Everything that goes over the network, against servers that the tests start on the loopback address.

#[cfg(feature = "csc")]
mod csc;
mod fetching;
mod lists;
mod online;
mod timestamps;

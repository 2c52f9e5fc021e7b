//! Everything that goes over the network, against servers that the tests start on the loopback address.

mod fetching;
mod lists;
mod online;
mod pki;
mod served;
mod server;
#[allow(dead_code, reason = "tests of the command use it, too")]
mod signed_list;

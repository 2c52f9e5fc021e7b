//! Everything that goes over the network, against servers that the tests start on the loopback address.

mod fetching;
mod lists;
mod online;
mod timestamps;

//! Every operation and every documented error over real HTTP: a real process, a real socket.

#[path = "../support/mod.rs"]
mod support;

mod oidc;
mod readme;
mod signing;
mod validation;

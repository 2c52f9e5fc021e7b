//! Every operation and every documented error over real HTTP: a real process, a real socket.

#[path = "../support/mod.rs"]
mod support;

mod authority;
mod documents;
mod failing;
mod oidc;
mod operating;
mod readme;
mod reports;
mod signing;
mod submissions;
mod validation;

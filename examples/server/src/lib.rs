//! The reference HTTP server of lacre: validates uploaded files, hands users their certificate, signs hashes and documents, extends
//! documents.
//!
//! Read it top-down: [`config`] is what an operator says, [`serve`] starts and stops, [`routes`] is the table of
//! paths, [`handlers`] holds one file an operation. Below them, each alone: what a request may cost ([`http`],
//! [`workers`]), whom the judgement trusts ([`trusted`]), and the [`registry`] of users, their certificates and keys
//! over a [`storage`], which writes down in the [`audit`] log all that it does.
#![forbid(unsafe_code)]

pub mod app;
pub mod audit;
pub mod audit_queue;
pub mod authority;
pub mod clock;
pub mod command;
pub mod config;
pub mod extending;
pub mod fetching;
pub mod handlers;
pub mod hexadecimal;
pub mod http;
pub mod local_issuer;
pub mod logs;
pub mod metrics;
pub mod oidc;
pub mod openapi;
pub mod pki;
pub mod registry;
pub mod rng;
pub mod routes;
pub mod serve;
pub mod setup;
pub mod storage;
pub mod token;
pub mod trusted;
pub mod workers;

//! The C library as its users meet it: installed, compiled against, run, watched by valgrind and sanitizers.

#![cfg(target_os = "linux")]

mod examples;
mod header;
mod identity;
mod symbols;
mod tools;

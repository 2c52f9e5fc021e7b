//! Signatures are extended over decades, and every step is judged: EN 319 122-1 §6, EN 319 142-1 §6.

mod forms;
#[path = "../../examples/life.rs"]
mod life;
mod lives;
mod steps;
mod stores;
mod wants;

//! Reports: projections of facts and verdicts. No conclusion is drawn here.

pub mod etsi;

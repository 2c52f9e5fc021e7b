//! Fetches what a judgement asks for over HTTP, within bounds.

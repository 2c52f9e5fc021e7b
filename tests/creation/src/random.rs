//! Numbers that are the same in every run.

use lacre::signing::{DigestAlgorithm, digest};
use signature::rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;

/// The digests of a name and a count: as random as anybody needs who makes predictable keys on purpose.
pub struct Numbers {
    name: String,
    count: u64,
    rest: Vec<u8>,
}

/// The numbers of that name.
pub fn of(name: &str) -> Numbers {
    Numbers { name: name.into(), count: 0, rest: vec![] }
}

impl Numbers {
    fn byte(&mut self) -> u8 {
        if self.rest.is_empty() {
            self.count += 1;
            let text = format!("{} {}", self.name, self.count);
            self.rest = digest(DigestAlgorithm::Sha256, text.as_bytes()).expect("SHA-256 is known");
        }
        self.rest.pop().expect("a digest is not empty")
    }
}

impl TryRng for Numbers {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.byte());
        Ok(())
    }
}

impl TryCryptoRng for Numbers {}

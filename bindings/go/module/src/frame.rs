//! Frames: parts one after the other, each behind its length in bytes, 32 bits with the least byte first.

use crate::failure::Failure;

/// Returns the parts of a frame.
pub(crate) fn parts(mut frame: &[u8]) -> Result<Vec<&[u8]>, Failure> {
    let cut = || Failure::argument("found a frame that ends within a part, expected whole parts");
    let mut parts = vec![];
    while !frame.is_empty() {
        let (length, rest) = frame.split_first_chunk::<4>().ok_or_else(cut)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| cut())?;
        let (part, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        parts.push(part);
        frame = rest;
    }
    Ok(parts)
}

/// Writes the frame of these parts. None can be longer than its length says: the memory of a module has 32 bits.
pub(crate) fn write<'a>(parts: impl IntoIterator<Item = &'a Vec<u8>, IntoIter: Clone>) -> Vec<u8> {
    let parts = parts.into_iter();
    let mut frame = Vec::with_capacity(parts.clone().map(|part| part.len() + 4).sum());
    for part in parts {
        frame.extend_from_slice(&(part.len() as u32).to_le_bytes());
        frame.extend_from_slice(part);
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let all = [vec![], b"one".to_vec(), vec![0; 300]];
        assert_eq!(parts(&write(&all)).expect("whole"), all);
        assert_eq!(parts(&[]).expect("no part"), Vec::<&[u8]>::new());
    }

    #[test]
    fn a_part_that_is_cut_is_refused() {
        for frame in [&[1, 0][..], &[1, 0, 0, 0], &[255, 255, 255, 255, 1], &[0, 0, 0, 0, 9]] {
            assert!(parts(frame).is_err(), "{frame:?}");
        }
    }
}

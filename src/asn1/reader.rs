use super::{Error, Tag, Tlv};

/// Walks the elements of one level, as far as it is asked to.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Over elements that lie one after the other.
    pub fn new(elements: &'a [u8]) -> Self {
        Self { rest: elements }
    }

    /// The octets not yet read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next element, if there is one.
    #[allow(clippy::should_implement_trait)] // An iterator of results would go on after an error.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Tlv<'a>>, Error> {
        if self.rest.is_empty() { Ok(None) } else { self.read().map(Some) }
    }

    /// The next element without moving past it; `None` also where it cannot be read.
    pub fn peek(&self) -> Option<Tlv<'a>> {
        Tlv::split(self.rest).ok().map(|(tlv, _)| tlv)
    }

    /// The next element, which must be there.
    #[inline]
    pub fn read(&mut self) -> Result<Tlv<'a>, Error> {
        let (tlv, rest) = Tlv::split(self.rest)?;
        self.rest = rest;
        Ok(tlv)
    }

    /// The next element, which must have this tag (its form is free).
    #[inline]
    pub fn expect(&mut self, tag: Tag) -> Result<Tlv<'a>, Error> {
        if self.rest.is_empty() {
            return Err(Error::Missing { expected: tag });
        }
        let (tlv, rest) = Tlv::split(self.rest)?;
        let tlv = tlv.expecting(tag)?;
        self.rest = rest;
        Ok(tlv)
    }

    /// The next element if it has this tag; else stays before it.
    #[inline]
    pub fn optional(&mut self, tag: Tag) -> Result<Option<Tlv<'a>>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (tlv, rest) = Tlv::split(self.rest)?;
        if !tlv.is(tag) {
            return Ok(None);
        }
        self.rest = rest;
        Ok(Some(tlv))
    }

    /// The next element if it is the component `[number]`.
    pub fn context(&mut self, number: u32) -> Result<Option<Tlv<'a>>, Error> {
        self.optional(Tag::context(number))
    }

    /// Refuses what is left.
    pub fn finish(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing { octets: self.rest.len() as u64 }) }
    }
}

/// Ends at the first element that cannot be read.
impl<'a> Iterator for Reader<'a> {
    type Item = Tlv<'a>;

    fn next(&mut self) -> Option<Tlv<'a>> {
        match Reader::next(self) {
            Ok(tlv) => tlv,
            Err(_) => {
                self.rest = &[];
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_one_level() {
        let octets = [0x02, 1, 5, 0xa1, 3, 0x02, 1, 6, 0x05, 0];
        let mut reader = Reader::new(&octets);
        assert!(reader.context(0).unwrap().is_none());
        assert_eq!(reader.expect(Tag::INTEGER).unwrap().to_u64(), Ok(5));
        assert_eq!(reader.context(1).unwrap().unwrap().inner().unwrap().to_u64(), Ok(6));
        assert_eq!(reader.expect(Tag::INTEGER), Err(Error::Unexpected { expected: Tag::INTEGER, found: Tag::NULL }));
        assert_eq!(reader.finish(), Err(Error::Trailing { octets: 2 }));
        assert!(reader.read().unwrap().is(Tag::NULL));
        assert_eq!(reader.next(), Ok(None));
        assert_eq!(reader.expect(Tag::NULL), Err(Error::Missing { expected: Tag::NULL }));
    }
}

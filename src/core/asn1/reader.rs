//! Reading the elements of one level, one after the other.

use super::error::Error;
use super::tag::Tag;
use super::tlv::{PRIMITIVE, Tlv};

/// Reads the elements of one level, one at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Whether they are the contents of a primitive element: no elements.
    primitive: bool,
}

impl<'a> Tlv<'a> {
    /// Returns a reader of the elements inside. Of a primitive element there are none, and its contents cannot be read.
    pub fn children(&self) -> Reader<'a> {
        Reader { rest: self.content, primitive: !self.tag.constructed }
    }

    /// Reads the element inside an explicit tag.
    ///
    /// # Errors
    ///
    /// [`Error`] where there is none, or where it cannot be read.
    pub fn inner(&self) -> Result<Tlv<'a>, Error> {
        self.children().read()
    }
}

impl<'a> Reader<'a> {
    /// Returns a reader of consecutive elements.
    pub fn new(elements: &'a [u8]) -> Self {
        Self { rest: elements, primitive: false }
    }

    #[inline]
    fn split(&self) -> Result<(Tlv<'a>, &'a [u8]), Error> {
        if self.primitive { Err(PRIMITIVE) } else { Tlv::split(self.rest) }
    }

    /// Returns the bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns whether all elements were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads the next element, if there is one.
    #[allow(clippy::should_implement_trait)] // An iterator of results would go on after an error.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Tlv<'a>>, Error> {
        if self.rest.is_empty() { Ok(None) } else { self.read().map(Some) }
    }

    /// Returns the next element without moving past it; `None` also where it cannot be read.
    pub fn peek(&self) -> Option<Tlv<'a>> {
        self.split().ok().map(|(tlv, _)| tlv)
    }

    /// Reads the next element.
    ///
    /// # Errors
    ///
    /// [`Error`] where there is none, or where it cannot be read.
    #[inline]
    pub fn read(&mut self) -> Result<Tlv<'a>, Error> {
        let (tlv, rest) = self.split()?;
        self.rest = rest;
        Ok(tlv)
    }

    /// Reads the next element, which must have this tag; its form is free (X.690 §8.1.2.5).
    ///
    /// # Errors
    ///
    /// [`Error`] where there is none, where it has another tag, or where it cannot be read.
    #[inline]
    pub fn expect(&mut self, tag: Tag) -> Result<Tlv<'a>, Error> {
        if self.rest.is_empty() {
            return Err(Error::Missing { expected: tag });
        }
        let (tlv, rest) = self.split()?;
        let tlv = tlv.expecting(tag)?;
        self.rest = rest;
        Ok(tlv)
    }

    /// Reads the next element if it has this tag; otherwise stays before it.
    #[inline]
    pub fn optional(&mut self, tag: Tag) -> Result<Option<Tlv<'a>>, Error> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (tlv, rest) = self.split()?;
        if !tlv.is(tag) {
            return Ok(None);
        }
        let tlv = tlv.expecting(tag)?;
        self.rest = rest;
        Ok(Some(tlv))
    }

    /// Reads the next element if its tag is `[number]`; otherwise stays before it.
    pub fn context(&mut self, number: u32) -> Result<Option<Tlv<'a>>, Error> {
        self.optional(Tag::context(number))
    }

    /// Reads the next element if its tag is `[number]`, which is on elements.
    ///
    /// # Errors
    ///
    /// [`Error`] also where it is primitive.
    pub fn context_structure(&mut self, number: u32) -> Result<Option<Tlv<'a>>, Error> {
        self.optional(Tag::context_constructed(number))
    }

    /// Returns the elements; where the rest cannot be read, the last one is the error.
    pub fn elements(mut self) -> impl Iterator<Item = Result<Tlv<'a>, Error>> {
        std::iter::from_fn(move || {
            let element = Reader::next(&mut self).transpose();
            if let Some(Err(_)) = element {
                self.rest = &[];
            }
            element
        })
    }

    /// Returns whether the rest can be read, and each element of it is so.
    pub fn each_is(self, is: impl Fn(&Tlv<'a>) -> bool) -> bool {
        self.elements().all(|element| element.is_ok_and(|one| is(&one)))
    }

    /// Checks that all elements were read.
    pub fn finish(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing { bytes: self.rest.len() as u64 }) }
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

/// Returns how many elements there are, those inside others included down to so many levels, as far as they can be read.
pub(crate) fn element_count(of: Reader<'_>, levels: usize) -> usize {
    of.map(|tlv| 1 + if levels == 0 { 0 } else { element_count(tlv.children(), levels - 1) }).sum()
}

/// Returns whether structures are nested deeper than so many levels, as far as they can be read.
pub fn is_deeper_than(bytes: &[u8], levels: usize) -> bool {
    let mut parts = Reader::new(bytes);
    std::iter::from_fn(|| Reader::next(&mut parts).ok().flatten())
        .filter(|part| part.tag.constructed)
        .any(|part| levels == 0 || is_deeper_than(part.content, levels - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_one_level() {
        let bytes = [0x02, 1, 5, 0xa1, 3, 0x02, 1, 6, 0x05, 0];
        let mut reader = Reader::new(&bytes);
        assert!(reader.context(0).unwrap().is_none());
        assert_eq!(reader.expect(Tag::INTEGER).unwrap().to_u64(), Ok(5));
        assert_eq!(reader.context(1).unwrap().unwrap().inner().unwrap().to_u64(), Ok(6));
        assert_eq!(reader.expect(Tag::INTEGER), Err(Error::Unexpected { expected: Tag::INTEGER, found: Tag::NULL }));
        assert_eq!(reader.finish(), Err(Error::Trailing { bytes: 2 }));
        assert!(reader.read().unwrap().is(Tag::NULL));
        assert_eq!(reader.next(), Ok(None));
        assert_eq!(reader.expect(Tag::NULL), Err(Error::Missing { expected: Tag::NULL }));
    }

    #[test]
    fn what_cannot_be_read_is_the_end() {
        let bytes = [0x05, 0, 0x02, 9, 1];
        let elements: Vec<_> = Reader::new(&bytes).elements().take(4).collect();
        assert!(matches!(elements[..], [Ok(_), Err(_)]), "{elements:?}");
    }

    /// X.690 §8.9.1, §8.11.1, §8.14: there are no elements in a primitive.
    #[test]
    fn primitives_hold_nothing() {
        let integer = |bytes: &'static [u8]| Tlv::whole(bytes).and_then(|tlv| tlv.inner()).map(|inner| inner.content);
        assert_eq!(integer(&[0xa0, 3, 2, 1, 5]), Ok(&[5][..]));
        assert!(integer(&[0x80, 3, 2, 1, 5]).is_err() && integer(&[0x10, 3, 2, 1, 5]).is_err());
        let bytes = [0x10, 3, 2, 1, 5, 0x80, 0];
        let mut reader = Reader::new(&bytes);
        assert!(reader.expect(Tag::SEQUENCE).is_err() && reader.optional(Tag::SEQUENCE).is_err());
        let (tlv, _) = Tlv::split(&bytes).unwrap();
        assert_eq!(tlv.children().count(), 0);
        assert!(!tlv.children().each_is(|_| true) && !tlv.children().is_empty());
        assert!(Reader::new(&bytes[5..]).context_structure(0).is_err() && Reader::new(&bytes[5..]).context(0).is_ok());
        assert!(super::super::to_der(&bytes[..5]).is_err());
    }
}

//! How an update is written: as ISO 32000-2 §7.5.6 has it, or so that readers disagree about it.

use super::value::{Object, Objects, latin, object};
use super::{Form, Pdf};
use std::collections::BTreeMap;

macro_rules! carriers {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A way to write an update.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Carrier { $($(#[$doc])* $name,)* }

        impl Carrier {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

carriers! {
    /// A cross-reference table.
    Table,
    /// A cross-reference stream.
    Stream,
    /// An object stream.
    Packed,
    /// A table, and objects that only a stream beside it knows of (§7.5.8.4).
    Hybrid,
    /// Half of the objects in one update, half in another.
    TwoUpdates,
    /// The update, then one that writes what stood before.
    TakenBack,
    /// The update, then an end that points to the cross-references before it.
    OldStart,
    /// The table names the old objects, the hidden stream the new ones.
    HybridNewHidden,
    /// The other way.
    HybridOldHidden,
    /// The table says that the objects are free, the hidden stream where they are.
    HybridFree,
    /// The hidden stream is a table.
    HybridTable,
    /// The hidden stream has a /Prev of its own, with the new objects.
    HiddenPrev,
    /// /Prev of the trailer is a table of the new objects that leads to the old ones.
    LongPrev,
    /// /Prev twice.
    PrevTwice,
    /// /Prev before it is used: to a table behind.
    PrevAhead,
    /// No /Prev at all.
    NoPrev,
    /// /Size too small for the new objects.
    SmallSize,
    /// Rows of generation 1 for objects of generation 0.
    RowGeneration,
    /// Objects of generation 1 under rows of generation 0.
    ObjectGeneration,
    /// Both of generation 1.
    BothGenerations,
    /// Offsets three bytes behind.
    OffsetBehind,
    /// Offsets one byte before.
    OffsetBefore,
    /// Offsets of the old objects, the new ones stand in the file.
    OffsetOld,
    /// Rows that say the objects are free, though they stand there.
    RowsFree,
    /// A subsection that begins one number too early.
    RowsShifted,
    /// Rows of one byte less.
    RowsShort,
    /// Each object twice, the new before the old, rows of the new.
    NewThenOld,
    /// Each object twice, the new behind the old, rows of the old.
    OldThenNew,
    /// Objects and nothing else.
    Bare,
    /// Objects, then the old end of the file again.
    BareOldStart,
    /// The same with 1,100 bytes of comment behind.
    BareFarStart,
    /// The same with 2,100.
    BareVeryFarStart,
    /// Objects and a trailer.
    BareTrailer,
    /// The update, then `startxref` in a comment.
    StartInComment,
    /// The update, then `startxref` in a string.
    StartInString,
    /// The update, then `xstartxrefy`.
    StartGlued,
    /// The update, then `startxref` and a comment before its number.
    StartWithComment,
    /// A comment between its own `startxref` and the number.
    CommentInStart,
    /// `startxref` too small: somewhere before the table.
    StartAstray,
    /// `startxref 0`.
    StartZero,
    /// Objects without `endobj`.
    NoEndobj,
    /// Streams that state a length of a tenth.
    ShortLength,
    /// Streams whose length is that of another object.
    LengthElsewhere,
    /// An object stream; the cross-references say another index.
    PackedIndex,
    /// An object stream that states other numbers than the cross-references.
    PackedNumbers,
    /// An object stream that has each number twice, first the old.
    PackedTwice,
    /// The new objects in an object stream, the old ones by themselves behind it.
    PackedAndPlain,
    /// A cross-reference stream whose /Index lists the objects twice, first new, then old.
    IndexTwice,
    /// A table that lists the objects twice, first new, then old.
    RowsTwice,
    /// The same, the old first.
    RowsTwiceOldFirst,
    /// Line ends of CR.
    CarriageReturns,
    /// /Encrypt with an empty password.
    Encrypted,
    /// Entries of the new dictionaries once more behind, as they were.
    KeysTwice,
    /// Entries of the new dictionaries behind those that they were.
    KeysTwiceOldFirst,
    /// Names of the keys with a `#` escape.
    EscapedKeys,
}

/// A file that grows.
struct Sheet {
    bytes: Vec<u8>,
    places: BTreeMap<u32, usize>,
    eol: &'static str,
}

#[derive(Clone, Copy)]
enum Row {
    At(usize, u16),
    Free,
    In(u32, u32),
}

impl Sheet {
    fn of(pdf: &Pdf) -> Self {
        Self { bytes: pdf.bytes.clone(), places: BTreeMap::new(), eol: "\n" }
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.replace('\n', self.eol).bytes());
    }

    fn object(&mut self, number: u32, generation: u16, object: &Object) {
        self.places.insert(number, self.bytes.len());
        self.text(&format!("{number} {generation} obj\n"));
        self.bytes.extend(object.value.bytes());
        self.text("\n");
        if let Some(bytes) = &object.stream {
            self.bytes.extend(b"stream\n");
            self.bytes.extend(bytes);
            self.text("\nendstream\n");
        }
        self.text("endobj\n");
    }

    fn objects(&mut self, objects: &Objects) {
        for (number, object) in objects {
            self.object(*number, 0, object);
        }
    }

    /// Rows for the objects as they stand.
    fn rows(&self, objects: &Objects) -> Vec<(u32, Row)> {
        objects.keys().filter_map(|number| Some((*number, Row::At(*self.places.get(number)?, 0)))).collect()
    }

    fn table(&mut self, rows: &[(u32, Row)]) -> usize {
        let start = self.bytes.len();
        self.text("xref\n");
        for (number, row) in rows {
            let row = match row {
                Row::At(place, generation) => format!("{place:010} {generation:05} n"),
                Row::Free | Row::In(..) => "0000000000 00000 f".to_owned(),
            };
            self.text(&format!("{number} 1\n"));
            self.bytes.extend(format!("{row} \n").bytes());
        }
        start
    }

    fn trailer(&mut self, entries: &str) {
        self.bytes.extend(latin(&format!("trailer{}<< {entries} >>{}", self.eol, self.eol)));
    }

    fn start(&mut self, place: usize) {
        self.text(&format!("startxref\n{place}\n%%EOF\n"));
    }

    /// A cross-reference stream, itself object `number`.
    fn stream(&mut self, number: u32, rows: &[(u32, Row)], entries: &str) -> usize {
        let place = self.bytes.len();
        let mut rows = rows.to_vec();
        rows.push((number, Row::At(place, 0)));
        let (mut bytes, mut index) = (vec![], vec![]);
        for (number, row) in &rows {
            index.push(format!("{number} 1"));
            let (kind, second, third) = match row {
                Row::Free => (0, 0, 0),
                Row::At(place, generation) => (1, *place as u32, u32::from(*generation)),
                Row::In(stream, index) => (2, *stream, *index),
            };
            bytes.push(kind);
            bytes.extend(second.to_be_bytes());
            bytes.push(third as u8);
        }
        let entries = format!("/Type /XRef /W [1 4 1] /Index [{}] {entries}", index.join(" "));
        self.object(number, 0, &super::stream(&entries, &bytes));
        place
    }
}

/// An object stream with those objects in order.
fn packed<'a>(objects: impl Iterator<Item = (u32, &'a Object)>) -> Object {
    let (mut head, mut body, mut count) = (String::new(), vec![], 0);
    for (number, object) in objects {
        head.push_str(&format!("{number} {} ", body.len()));
        body.extend(object.value.bytes());
        body.push(b' ');
        count += 1;
    }
    let first = head.len();
    super::stream(&format!("/Type /ObjStm /N {count} /First {first}"), &[head.into_bytes(), body].concat())
}

/// Whether it may stand in an object stream: no stream, no signature.
fn packable(object: &Object) -> bool {
    object.stream.is_none() && object.value.get("ByteRange").is_none()
}

/// A well-formed revision: the file, where its cross-references are, how many objects there are.
pub(super) fn revision(
    pdf: &Pdf,
    changes: &Objects,
    trailer: &str,
    carrier: Carrier,
    places: &mut BTreeMap<u32, usize>,
) -> (Vec<u8>, usize, u32) {
    let mut sheet = Sheet::of(pdf);
    let last = changes.keys().max().map_or(pdf.size, |last| pdf.size.max(last + 1));
    let previous = pdf.previous.map_or(String::new(), |previous| format!("/Prev {previous}"));
    let root = format!("/Root {} 0 R", pdf.root);
    let (start, size) = match carrier {
        Carrier::Table => {
            sheet.objects(changes);
            let mut rows = sheet.rows(changes);
            if pdf.previous.is_none() {
                rows.insert(0, (0, Row::Free));
            }
            let start = sheet.table(&rows);
            sheet.trailer(&format!("/Size {last} {root} {previous} {trailer}"));
            (start, last)
        }
        Carrier::Packed => {
            let (plain, inside): (Objects, Objects) =
                changes.iter().map(|(n, o)| (*n, o.clone())).partition(|(_, object)| !packable(object));
            sheet.objects(&plain);
            let mut rows = sheet.rows(&plain);
            let holder = last;
            if !inside.is_empty() {
                sheet.object(holder, 0, &packed(inside.iter().map(|(number, object)| (*number, object))));
                rows.push((holder, Row::At(sheet.places[&holder], 0)));
                rows.extend(inside.keys().enumerate().map(|(at, number)| (*number, Row::In(holder, at as u32))));
            }
            let entries = format!("/Size {} {root} {previous} {trailer}", last + 2);
            (sheet.stream(last + 1, &rows, &entries), last + 2)
        }
        _ => {
            sheet.objects(changes);
            let entries = format!("/Size {} {root} {previous} {trailer}", last + 1);
            let rows = sheet.rows(changes);
            (sheet.stream(last, &rows, &entries), last + 1)
        }
    };
    sheet.start(start);
    places.extend(sheet.places);
    (sheet.bytes, start, size)
}

/// The file with the changes as that carrier writes them.
pub(super) fn write(pdf: &Pdf, changes: &Objects, trailer: &str, carrier: Carrier) -> Vec<u8> {
    Writing::of(pdf, changes, trailer).write(carrier)
}

struct Writing<'a> {
    pdf: &'a Pdf,
    changes: &'a Objects,
    /// What the changed objects were.
    old: Objects,
    trailer: &'a str,
    previous: usize,
    size: u32,
}

impl<'a> Writing<'a> {
    fn of(pdf: &'a Pdf, changes: &'a Objects, trailer: &'a str) -> Self {
        let old = changes.keys().filter_map(|number| Some((*number, pdf.objects.get(number)?.clone()))).collect();
        let size = changes.keys().max().map_or(pdf.size, |last| pdf.size.max(last + 1));
        Self { pdf, changes, old, trailer, previous: pdf.previous.unwrap_or_default(), size }
    }

    fn entries(&self) -> String {
        format!("/Size {} /Root {} 0 R {}", self.size + 4, self.pdf.root, self.trailer)
    }

    fn entries_prev(&self) -> String {
        format!("{} /Prev {}", self.entries(), self.previous)
    }

    /// A well-formed update of these objects.
    fn plain(&self, objects: &Objects) -> Vec<u8> {
        revision(self.pdf, objects, self.trailer, Carrier::Table, &mut BTreeMap::new()).0
    }

    /// The file with the objects, their rows changed, and a table of them.
    fn rows(&self, change: impl Fn(u32, usize) -> Row) -> Vec<u8> {
        let mut sheet = Sheet::of(self.pdf);
        sheet.objects(self.changes);
        let rows: Vec<(u32, Row)> =
            sheet.places.iter().map(|(number, place)| (*number, change(*number, *place))).collect();
        self.close(sheet, &rows, &self.entries_prev())
    }

    fn close(&self, mut sheet: Sheet, rows: &[(u32, Row)], entries: &str) -> Vec<u8> {
        let start = sheet.table(rows);
        sheet.trailer(entries);
        sheet.start(start);
        sheet.bytes
    }

    fn old_place(&self, number: u32) -> Row {
        self.pdf.places.get(&number).map_or(Row::Free, |place| Row::At(*place, 0))
    }

    /// The rows of the changed objects as they were.
    fn old_rows(&self) -> Vec<(u32, Row)> {
        self.changes.keys().map(|number| (*number, self.old_place(*number))).collect()
    }

    fn bare(&self) -> Sheet {
        let mut sheet = Sheet::of(self.pdf);
        sheet.objects(self.changes);
        sheet
    }

    /// The end of the original.
    fn old_end(&self) -> String {
        format!("startxref\n{}\n%%EOF\n", self.previous)
    }

    /// The objects with the same changes made to each.
    fn changed(&self, change: impl Fn(u32, &mut Object)) -> Objects {
        let mut objects = self.changes.clone();
        for (number, object) in &mut objects {
            change(*number, object);
        }
        objects
    }

    fn write(&self, carrier: Carrier) -> Vec<u8> {
        use Carrier as C;
        let previous = self.previous;
        match carrier {
            C::Table | C::Stream | C::Packed => {
                revision(self.pdf, self.changes, self.trailer, carrier, &mut BTreeMap::new()).0
            }
            C::TwoUpdates => self.two_updates(),
            C::TakenBack => {
                let mut pdf = self.pdf.clone();
                pdf.form = Form::Table;
                pdf.update(self.changes.clone());
                pdf.update(self.old.clone());
                pdf.bytes
            }
            C::OldStart => [self.plain(self.changes), self.old_end().into_bytes()].concat(),
            C::Hybrid | C::HybridNewHidden | C::HybridOldHidden | C::HybridFree => self.hybrid(carrier),
            C::HybridTable | C::HiddenPrev | C::LongPrev => self.hidden(carrier),
            C::PrevTwice => self.with_entries(&format!("{} /Prev 0", self.entries_prev())),
            C::PrevAhead => self.with_entries(&format!("{} /Prev {}", self.entries(), self.pdf.bytes.len() + 1)),
            C::NoPrev => self.with_entries(&self.entries()),
            C::SmallSize => {
                self.with_entries(&format!("/Size 3 /Root {} 0 R /Prev {previous} {}", self.pdf.root, self.trailer))
            }
            C::RowGeneration => self.rows(|_, place| Row::At(place, 1)),
            C::ObjectGeneration | C::BothGenerations => self.generations(carrier),
            C::OffsetBehind => self.rows(|_, place| Row::At(place + 3, 0)),
            C::OffsetBefore => self.rows(|_, place| Row::At(place - 1, 0)),
            C::OffsetOld => self.rows(|number, _| self.old_place(number)),
            C::RowsFree => self.rows(|_, _| Row::Free),
            C::RowsShifted => {
                let sheet = self.bare();
                let rows: Vec<_> = sheet.rows(self.changes).into_iter().map(|(n, row)| (n.max(1) - 1, row)).collect();
                self.close(sheet, &rows, &self.entries_prev())
            }
            C::RowsShort => self.replaced(" \n", "\n"),
            C::NewThenOld | C::OldThenNew => self.twice(carrier == C::NewThenOld),
            C::Bare => self.bare().bytes,
            C::BareOldStart => self.bare_start(0),
            C::BareFarStart => self.bare_start(1100),
            C::BareVeryFarStart => self.bare_start(2100),
            C::BareTrailer => {
                let mut sheet = self.bare();
                sheet.trailer(&self.entries());
                sheet.text("%%EOF\n");
                sheet.bytes
            }
            C::StartInComment => self.behind(&format!("% startxref\n{previous}\n")),
            C::StartInString => self.behind(&format!("(startxref {previous})\n%%EOF\n")),
            C::StartGlued => self.behind(&format!("xstartxrefy {previous}\n%%EOF\n")),
            C::StartWithComment => self.behind(&format!("startxref%\n{previous}\n%%EOF\n")),
            C::CommentInStart => self.replaced("startxref\n", "startxref\n% 9\n"),
            C::StartAstray => self.replaced("startxref\n", "startxref\n1"),
            C::StartZero => {
                let mut bytes = self.plain(self.changes);
                let at = super::rfind(&bytes, b"startxref").expect("it is there");
                bytes.truncate(at);
                [bytes, b"startxref\n0\n%%EOF\n".to_vec()].concat()
            }
            C::NoEndobj => self.replaced("endobj\n", ""),
            C::ShortLength => self.plain(&self.changed(|_, object| {
                let length = object.stream.as_ref().map(Vec::len);
                length.into_iter().for_each(|length| object.value.set("Length", &(length / 10).to_string()));
            })),
            C::LengthElsewhere => self.length_elsewhere(),
            C::PackedIndex | C::PackedNumbers | C::PackedTwice | C::PackedAndPlain => self.packed(carrier),
            C::IndexTwice => {
                let mut sheet = self.bare();
                let rows = [sheet.rows(self.changes), self.old_rows()].concat();
                let start = sheet.stream(self.size, &rows, &self.entries_prev());
                sheet.start(start);
                sheet.bytes
            }
            C::RowsTwice | C::RowsTwiceOldFirst => {
                let sheet = self.bare();
                let mut rows = [sheet.rows(self.changes), self.old_rows()];
                if carrier == C::RowsTwiceOldFirst {
                    rows.reverse();
                }
                self.close(sheet, &rows.concat(), &self.entries_prev())
            }
            C::CarriageReturns => {
                let mut sheet = Sheet { eol: "\r", ..Sheet::of(self.pdf) };
                sheet.objects(self.changes);
                let rows = sheet.rows(self.changes);
                self.close(sheet, &rows, &self.entries_prev())
            }
            C::Encrypted => self.encrypted(),
            C::KeysTwice | C::KeysTwiceOldFirst => self.plain(&self.changed(|number, object| {
                for (key, value) in self.old.get(&number).map_or(&[][..], |old| old.value.entries()) {
                    if object.value.get(key) != Some(value) && key != "Length" {
                        object.value.add(key, value.clone());
                    }
                }
                if let (true, super::Value::Dictionary(entries)) = (carrier == C::KeysTwiceOldFirst, &mut object.value)
                {
                    entries.reverse();
                }
            })),
            C::EscapedKeys => self.plain(&self.changed(|_, object| {
                if let super::Value::Dictionary(entries) = &mut object.value {
                    for (key, _) in entries.iter_mut().filter(|(key, _)| key.is_ascii() && key != "Length") {
                        *key = format!("#{:02X}{}", key.as_bytes()[0], &key[1..]);
                    }
                }
            })),
        }
    }

    fn with_entries(&self, entries: &str) -> Vec<u8> {
        let sheet = self.bare();
        let rows = sheet.rows(self.changes);
        self.close(sheet, &rows, entries)
    }

    fn behind(&self, text: &str) -> Vec<u8> {
        [self.plain(self.changes), text.as_bytes().to_vec()].concat()
    }

    /// The plain update with a text of it replaced everywhere.
    fn replaced(&self, from: &str, to: &str) -> Vec<u8> {
        let bytes = self.plain(self.changes);
        let update: String = bytes[self.pdf.bytes.len()..].iter().map(|byte| *byte as char).collect();
        [self.pdf.bytes.clone(), latin(&update.replace(from, to))].concat()
    }

    fn two_updates(&self) -> Vec<u8> {
        let half = self.changes.len() / 2;
        let mut pdf = self.pdf.clone();
        pdf.form = Form::Table;
        pdf.update(self.changes.iter().take(half).map(|(n, o)| (*n, o.clone())).collect());
        let rest: Objects = self.changes.iter().skip(half).map(|(n, o)| (*n, o.clone())).collect();
        revision(&pdf, &rest, self.trailer, Carrier::Table, &mut BTreeMap::new()).0
    }

    fn hybrid(&self, carrier: Carrier) -> Vec<u8> {
        let mut sheet = self.bare();
        let new = sheet.rows(self.changes);
        let (table, hidden) = match carrier {
            Carrier::Hybrid => (vec![], new),
            Carrier::HybridNewHidden => (self.old_rows(), new),
            Carrier::HybridOldHidden => (new, self.old_rows()),
            _ => (self.changes.keys().map(|number| (*number, Row::Free)).collect(), new),
        };
        let hidden = sheet.stream(self.size, &hidden, &self.entries());
        self.close(sheet, &table, &format!("{} /XRefStm {hidden}", self.entries_prev()))
    }

    fn hidden(&self, carrier: Carrier) -> Vec<u8> {
        let mut sheet = self.bare();
        let rows = sheet.rows(self.changes);
        let table = sheet.table(&rows);
        sheet.trailer(&if carrier == Carrier::HybridTable { self.entries() } else { self.entries_prev() });
        let entries = match carrier {
            Carrier::HybridTable => format!("{} /XRefStm {table}", self.entries_prev()),
            Carrier::HiddenPrev => {
                let hidden = sheet.stream(self.size, &[], &format!("{} /Prev {table}", self.entries()));
                format!("{} /XRefStm {hidden}", self.entries_prev())
            }
            _ => format!("{} /Prev {table}", self.entries()),
        };
        self.close(sheet, &[], &entries)
    }

    fn generations(&self, carrier: Carrier) -> Vec<u8> {
        let mut sheet = Sheet::of(self.pdf);
        for (number, object) in self.changes {
            sheet.object(*number, 1, object);
        }
        let generation = u16::from(carrier == Carrier::BothGenerations);
        let rows: Vec<(u32, Row)> =
            sheet.places.iter().map(|(number, place)| (*number, Row::At(*place, generation))).collect();
        self.close(sheet, &rows, &self.entries_prev())
    }

    fn twice(&self, new_first: bool) -> Vec<u8> {
        let mut sheet = Sheet::of(self.pdf);
        let (first, second) = if new_first { (self.changes, &self.old) } else { (&self.old, self.changes) };
        sheet.objects(first);
        let mut rows = sheet.rows(first);
        sheet.objects(second);
        // What is only among the second has its row, too.
        let more = sheet.rows(second).into_iter().filter(|(number, _)| !first.contains_key(number));
        rows.extend(more.collect::<Vec<_>>());
        self.close(sheet, &rows, &self.entries_prev())
    }

    fn bare_start(&self, comment: usize) -> Vec<u8> {
        let mut sheet = self.bare();
        sheet.text(&self.old_end());
        if comment > 0 {
            sheet.text(&format!("%{}\n", "x".repeat(comment)));
        }
        sheet.bytes
    }

    fn length_elsewhere(&self) -> Vec<u8> {
        let mut changes = self.changes.clone();
        let streams = changes.values_mut().filter(|object| object.stream.is_some());
        for (number, stream) in (self.size..).zip(streams) {
            stream.value.set("Length", &format!("{number} 0 R"));
        }
        let lengths: Vec<usize> =
            self.changes.values().filter_map(|object| object.stream.as_ref().map(Vec::len)).collect();
        for (at, length) in lengths.iter().enumerate() {
            changes.insert(self.size + at as u32, object(&length.to_string()));
        }
        self.plain(&changes)
    }

    fn packed(&self, carrier: Carrier) -> Vec<u8> {
        let mut sheet = Sheet::of(self.pdf);
        let (plain, inside): (Objects, Objects) =
            self.changes.iter().map(|(n, o)| (*n, o.clone())).partition(|(_, object)| !packable(object));
        sheet.objects(&plain);
        let mut rows = sheet.rows(&plain);
        let old = |number: &u32| self.old.get(number).filter(|object| packable(object));
        let mut held: Vec<(u32, &Object)> = vec![];
        for (number, object) in &inside {
            if let (Carrier::PackedTwice | Carrier::PackedIndex, Some(old)) = (carrier, old(number)) {
                held.push((*number, old));
            }
            held.push((*number, object));
        }
        let stated: Vec<(u32, &Object)> = match carrier {
            Carrier::PackedNumbers => held.iter().map(|(number, object)| (number + 1000, *object)).collect(),
            _ => held.clone(),
        };
        sheet.object(self.size, 0, &packed(stated.into_iter()));
        rows.push((self.size, Row::At(sheet.places[&self.size], 0)));
        let first = |number: u32| held.iter().position(|(held, _)| *held == number).unwrap_or_default() as u32;
        let last = |number: u32| held.iter().rposition(|(held, _)| *held == number).unwrap_or_default() as u32;
        for number in inside.keys() {
            let at = if carrier == Carrier::PackedIndex { last(*number) } else { first(*number) };
            rows.push((*number, Row::In(self.size, at)));
        }
        if carrier == Carrier::PackedAndPlain {
            sheet.objects(&self.old);
        }
        let start = sheet.stream(self.size + 1, &rows, &self.entries_prev());
        sheet.start(start);
        sheet.bytes
    }

    /// RC4 with 40 bits and an empty password (§7.6.4): the values are fixed, since the ID is.
    fn encrypted(&self) -> Vec<u8> {
        let mut sheet = self.bare();
        let number = self.size;
        let dictionary = "<< /Filter /Standard /V 1 /R 2 /P -4 \
            /O <2055c756c72e1ad702608e8196acad447ad32d17cff583235f6dd15fed7dab67> \
            /U <a64e367000e34d42af67b3be5c91f5f87f252a369c6a874ea40a79129903a526> >>";
        sheet.object(number, 0, &object(dictionary));
        let mut rows = sheet.rows(self.changes);
        rows.push((number, Row::At(sheet.places[&number], 0)));
        let id = "<30313233343536373839616263646566>";
        let entries = format!("{} /Encrypt {number} 0 R /ID [{id} {id}]", self.entries_prev());
        self.close(sheet, &rows, &entries)
    }
}

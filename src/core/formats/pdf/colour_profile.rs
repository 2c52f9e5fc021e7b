//! Colour profiles (ICC.1:2022), as far as it takes to know that of sRGB (IEC 61966-2-1).

/// The tags that say by numbers what sRGB's profile says: the colours of its primaries, the adaptation of its
/// white to that of all profiles, no black point.
const NUMBERS: [([u8; 4], &[f64]); 5] = [
    (*b"rXYZ", &[0.4361, 0.2225, 0.0139]),
    (*b"gXYZ", &[0.3851, 0.7169, 0.0971]),
    (*b"bXYZ", &[0.1431, 0.0606, 0.7141]),
    (*b"chad", &[1.0479, 0.0229, -0.0502, 0.0296, 0.9905, -0.0171, -0.0092, 0.0151, 0.7517]),
    (*b"bkpt", &[0.0, 0.0, 0.0]),
];

/// The white of all profiles, and sRGB's own, which profiles of version 2 have.
const WHITES: [&[f64]; 2] = [&[0.9642, 1.0, 0.8249], &[0.9505, 1.0, 1.0891]];

/// The tags that are about the device and the profile, and none of colours.
const WORDS: [[u8; 4]; 9] = [*b"desc", *b"cprt", *b"dmnd", *b"dmdd", *b"chrm", *b"lumi", *b"meas", *b"tech", *b"view"];

/// The most tags of a profile.
const TAGS: usize = 32;

/// The fewest and the most entries of a curve: what is between them is found by straight lines.
const FEWEST: usize = 64;
const MOST: usize = 4096;

/// Returns whether a profile gives colours as sRGB does, by three primaries and their curves alone. Viewers choose by themselves
/// among several ways.
pub(super) fn is_srgb(profile: &[u8]) -> bool {
    // 7.2: a display of red, green and blue, connected by XYZ.
    let is_display = profile.get(12..24) == Some(b"mntrRGB XYZ ") && profile.get(36..40) == Some(b"acsp");
    is_display
        && tags(profile).is_some_and(|tags| {
            let needed = [*b"rXYZ", *b"gXYZ", *b"bXYZ", *b"rTRC", *b"gTRC", *b"bTRC"];
            needed.iter().all(|needed| tags.iter().any(|(name, _)| name == needed)) && tags.iter().all(is_of_srgb)
        })
}

/// Returns the tags with their data (7.3); `None` where they are too many, or not all there.
fn tags(profile: &[u8]) -> Option<Vec<([u8; 4], &[u8])>> {
    let count = word(profile, 128).filter(|count| *count <= TAGS)?;
    let tag = |index: usize| {
        let [name, offset, size] = [0, 4, 8].map(|within| word(profile, 132 + 12 * index + within));
        let (offset, size) = (offset?, size?);
        Some(((name? as u32).to_be_bytes(), profile.get(offset..offset.checked_add(size)?)?))
    };
    (0..count).map(tag).collect()
}

/// Returns the four bytes at a place as a number.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word) as usize)
}

/// Returns whether a tag says what sRGB's says.
fn is_of_srgb((name, data): &([u8; 4], &[u8])) -> bool {
    match name {
        b"rTRC" | b"gTRC" | b"bTRC" => is_curve(data),
        b"wtpt" => WHITES.iter().any(|white| has_numbers(data, white)),
        name if WORDS.contains(name) => true,
        name => NUMBERS.iter().any(|(known, numbers)| name == known && has_numbers(data, numbers)),
    }
}

/// How far numbers of a profile, and light of a curve, may be from sRGB's. Near black an eye sees what little light differs by: a
/// two-thousandth of it is less than two of 255 values.
const OF_NUMBERS: f64 = 0.002;
const OF_LIGHT: f64 = 0.0005;

/// Returns whether data has these numbers (10.22, 10.31: 16 bits of them are behind the point).
fn has_numbers(data: &[u8], numbers: &[f64]) -> bool {
    let stated = data.get(8..).unwrap_or_default().as_chunks().0;
    let stated = stated.iter().map(|number| f64::from(i32::from_be_bytes(*number)) / 65536.0);
    stated.len() == numbers.len() && stated.zip(numbers).all(|(stated, number)| (stated - number).abs() < OF_NUMBERS)
}

/// Returns whether a curve is that of sRGB: as a table (10.6), or by its formula (10.18). A single exponent is another one near black.
fn is_curve(data: &[u8]) -> bool {
    let entries =
        || data.get(12..).unwrap_or_default().as_chunks().0.iter().map(|entry| f64::from(u16::from_be_bytes(*entry)));
    match (data.first_chunk(), word(data, 8)) {
        (Some(b"curv"), Some(count @ FEWEST..=MOST)) => {
            let last = (count - 1) as f64;
            entries().len() == count
                && entries().enumerate().all(|(at, light)| is_light(at as f64 / last, light / 65535.0))
        }
        // Function type 3: its exponent, three coefficients, and where it begins.
        (Some(b"para"), Some(0x0003_0000)) => {
            has_numbers(data.get(4..).unwrap_or_default(), &[2.4, 0.9479, 0.0521, 0.0774, 0.0404])
        }
        _ => false,
    }
}

/// Returns whether sRGB gives so much light for a value. Its exponent of 12/5 is found by whole ones.
fn is_light(value: f64, light: f64) -> bool {
    let power = ((value + 0.055) / 1.055).powi(12);
    let is_curved = || (light - OF_LIGHT).powi(5) <= power && power <= (light + OF_LIGHT).powi(5);
    if value <= 0.04045 { (light - value / 12.92).abs() < OF_LIGHT } else { is_curved() }
}

//! Keys and values that OpenSSL made (`tests/data/crypto/vectors.sh`): every curve, and DSA of every size, by every digest
//! function, whole and with each of their parts changed.

use std::collections::BTreeMap;

use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm},
    asn1::Writer,
    crypto::{PublicKey, Signed, digest, verify},
};

const VECTORS: &str = include_str!("data/crypto/openssl.tsv");

fn unhex(digits: &str) -> Vec<u8> {
    digits.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// r and s of a value.
fn integers(value: &[u8]) -> [Vec<u8>; 2] {
    let mut parts = lacre_core::asn1::Tlv::whole(value).unwrap().children();
    [(); 2].map(|()| parts.read().unwrap().content.to_vec())
}

fn value([r, s]: &[Vec<u8>; 2]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(|pair| {
        pair.unsigned(r).unsigned(s);
    });
    writer.finish()
}

/// One more.
fn next(number: &[u8]) -> Vec<u8> {
    let mut number = [&[0][..], number].concat();
    for byte in number.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    number
}

#[test]
fn values_verify_and_nothing_beside_them() {
    let mut keys: BTreeMap<&str, u32> = BTreeMap::new();
    for line in VECTORS.lines() {
        let [name, function, spki, made] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let place = format!("{name} {function}");
        let (key, made) = (PublicKey::from_spki(&unhex(spki)).unwrap(), unhex(made));
        let kind = if name.starts_with("DSA") { KeyAlgorithm::Dsa } else { KeyAlgorithm::Ecdsa };
        assert_eq!(key.algorithm(), kind, "{place}");
        assert!(kind == KeyAlgorithm::Dsa || key.curve() == Some(name), "{place}");
        let function = DigestAlgorithm::from_name(function).unwrap();
        let algorithm = SignatureAlgorithm::new(kind, Some(function));
        let message = place.as_bytes();
        let check = |message: &[u8], value: &[u8]| verify(&key, &algorithm, Signed::Message(message), value);
        assert_eq!(check(message, &made), Ok(()), "{place}");
        let digested = digest(function, message).unwrap();
        assert_eq!(verify(&key, &algorithm, Signed::Digest(&digested), &made), Ok(()), "{place}: by its digest");

        assert!(check(&[message, b"."].concat(), &made).is_err(), "{place}: another message");
        let [r, s] = integers(&made);
        assert_eq!(value(&[r.clone(), s.clone()]), made, "{place}: written as it was");
        assert!(check(message, &value(&[next(&r), s.clone()])).is_err(), "{place}: r + 1");
        assert!(check(message, &value(&[r.clone(), next(&s)])).is_err(), "{place}: s + 1");
        assert!(check(message, &value(&[s, r])).is_err(), "{place}: r and s exchanged");
        *keys.entry(name).or_default() += 1;
    }
    assert!(keys.len() == 30 && keys.values().all(|values| *values == 5), "26 curves, 4 sizes of DSA: {keys:?}");
}

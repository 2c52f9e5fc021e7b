//! Public-key validation: whether a key is one that only the holder of its private half can sign for.
//!
//! A key that was read may still be worthless: with an order q of seven, a point of small order or the exponent one,
//! anyone can make values that verify. So each key is checked once before it is used: SP 800-89 §5.3 for RSA and
//! DSA, SP 800-186 appendix D.1 for curves. What needs the factors of an RSA modulus cannot be checked by others.

use super::material::Material;
use super::{dsa, edwards, rsa};

/// Why a key is not accepted: what its standard prescribes.
pub(super) type Prescribed = &'static str;

/// Checks that the key can be relied on. `is_prepared` says whether the faster backend has made a key of it.
pub(super) fn validate(material: &Material, is_prepared: impl FnOnce() -> bool) -> Result<(), Prescribed> {
    match material {
        Material::Rsa { key, .. } => rsa::validate(key),
        Material::Dsa(key) => dsa::validate(key),
        // The faster backend makes a key of a point of the curve only.
        Material::Ec { .. } if is_prepared() => Ok(()),
        // SP 800-186 appendix D.1.1: coordinates below p, on the curve, not at infinity. All curves known here have the
        // cofactor 1, so that such a point has the right order.
        Material::Ec { curve, point } if curve.arithmetic().has_point(point) => Ok(()),
        Material::Ec { .. } => Err("a point of its curve (SEC 1 §2.3.4)"),
        Material::Ed25519(key) => edwards::validate_ed25519(key),
        Material::Ed448(key) => edwards::validate_ed448(key),
        // FIPS 204 §3.6.2: the length alone, which was checked as the key was read.
        Material::MlDsa(_) | Material::Other => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::unhex;
    use super::super::{KeyError, PublicKey, Signed, VerifyError, verify};
    use super::*;
    use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
    use crate::asn1::{Oid, Tag, Writer, oid};
    use crypto_bigint::BoxedUint;

    const RSA: Oid<'static> = oid!("1.2.840.113549.1.1.1");
    const DSA: Oid<'static> = oid!("1.2.840.10040.4.1");
    const EC: Oid<'static> = oid!("1.2.840.10045.2.1");
    const ED25519: Oid<'static> = oid!("1.3.101.112");
    const ED448: Oid<'static> = oid!("1.3.101.113");

    fn element(oid: Oid<'_>) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.oid(oid);
        writer.finish()
    }

    /// Returns a SubjectPublicKeyInfo.
    fn spki(algorithm: Oid<'_>, parameters: &[u8], unused: u8, key: &[u8]) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.sequence(|info| {
            info.sequence(|identifier| {
                identifier.raw(&element(algorithm)).raw(parameters);
            });
            info.element(Tag::BIT_STRING, &[&[unused][..], key].concat());
        });
        writer.finish()
    }

    fn numbers(numbers: &[&[u8]]) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.sequence(|sequence| numbers.iter().for_each(|number| _ = sequence.unsigned(number)));
        writer.finish()
    }

    /// Returns what is prescribed where a key with these bytes is not believed; by any algorithm it verifies nothing
    /// then.
    fn refused(spki: &[u8]) -> Option<String> {
        let key = match PublicKey::from_spki(spki) {
            Ok(key) => key,
            Err(KeyError::Content { expected, .. }) => return Some(expected.into()),
            Err(other) => return Some(other.to_string()),
        };
        let expected = key.validate().err()?;
        let algorithm = SignatureAlgorithm::new(key.algorithm(), Some(DigestAlgorithm::Sha256));
        let found = verify(&key, &algorithm, Signed::Message(b"any"), &[1; 64]);
        assert_eq!(found, Err(expected.clone()), "the door itself refuses it");
        let VerifyError::Key { expected } = expected else { panic!("{expected}") };
        Some(expected.into())
    }

    #[test]
    fn rsa_keys() {
        let odd = |bits: usize| {
            let mut modulus = vec![0xc5; bits / 8];
            // No factor below 59, whatever the length.
            while rsa::Key::new(&modulus, &[3]).is_some_and(|key| rsa::validate(&key).is_err()) && modulus[1] != 0 {
                modulus[1] -= 1;
            }
            modulus
        };
        let (null, sha1) = ([5, 0], [[0x30, 7].as_slice(), &element(oid!("1.3.14.3.2.26"))].concat());
        let of = |modulus: &[u8], exponent: &[u8]| numbers(&[modulus, exponent]);
        let even = [&odd(2048)[..255], &[0xc4]].concat();
        let three = BoxedUint::from_be_slice(&odd(2032), 2048).unwrap();
        let three = three.wrapping_mul(BoxedUint::from_be_slice(&[3], 2048).unwrap()).to_be_bytes();
        for (clause, situation, parameters, key, accepted) in [
            ("RFC 8017 A.1", "NULL as parameters", &null[..], of(&odd(2048), &[1, 0, 1]), true),
            ("RFC 8017 A.1", "no parameters", &[][..], of(&odd(2048), &[1, 0, 1]), true),
            ("RFC 3279 2.3.1", "other parameters", &sha1[..], of(&odd(2048), &[1, 0, 1]), false),
            ("SP 800-89 5.3.3", "e = 3", &null, of(&odd(2048), &[3]), true),
            ("SP 800-89 5.3.3", "e = 1", &null, of(&odd(2048), &[1]), false),
            ("SP 800-89 5.3.3", "e = 0", &null, of(&odd(2048), &[0]), false),
            ("SP 800-89 5.3.3", "e even", &null, of(&odd(2048), &[1, 0, 0]), false),
            ("Budget", "e = 2^33 - 1", &null, of(&odd(2048), &[1, 255, 255, 255, 255]), true),
            ("Budget", "e = 2^33 + 1", &null, of(&odd(2048), &[2, 0, 0, 0, 1]), false),
            ("SP 800-89 5.3.3", "n even", &null, of(&even, &[1, 0, 1]), false),
            ("SP 800-89 5.3.3", "n with the factor 3", &null, of(&three, &[1, 0, 1]), false),
            ("SP 800-89 5.3.3", "n of 8192 bits", &null, of(&odd(8192), &[1, 0, 1]), true),
            ("Budget", "n of 8200 bits", &null, of(&odd(8200), &[1, 0, 1]), false),
            ("RFC 8017 3.1", "n of 504 bits", &null, of(&odd(504), &[1, 0, 1]), false),
        ] {
            let found = refused(&spki(RSA, parameters, 0, &key));
            assert_eq!(found.is_none(), accepted, "{clause} {situation}: {found:?}");
        }
    }

    /// Numbers as FIPS 186-4 wants them: p and q are primes, q divides p − 1, g and y have the order q.
    const P: &str = "d62ce72e4568eb6191f3be3d0ffcf21067398610b7d83054e842ee7e0d17d1546438af2cb1c1d7db65632d2ccf1dbd9faafd\
         3276ade0b14a3ac340342627cf0dad195f7b23440637381b8d04b86e75933f58074f36518ccf22cf849bb2851204e142e550\
         1bf93abbee55018c18315ad891f6e12d1876c3ec5d36e9682fa3de23";
    const Q: &str = "eabfadfd68dba816892bb303e3371d01256a28b5";
    const G: &str = "b2e1738f7658b5ec134834c05b08c0ade89835c8e6740381fcc6a3c683bdcc9a62d16f641264763be87283266ddad4f575cd\
         837c5ceb12576f1a094d9cbb48fc1eeeedebf4801c240730b080cf663e42bdd4eda935c7b88503eca09015d2a5fff3aacd2d\
         02f9a4a875cac66c2e1fcdec0cfd680f662c7ccb9b6956c2a8a7a039";
    const Y: &str = "089ed96af6d6f45cd0e7d93ea54007f4711dca6751450295dd1602a37e01ff4e675ce85de2e845cd371bcf5344326d01b3f5\
         e9af365b29349ae27c2b3c8201e0f5ff8197c462c220980b9548ef5b0a376540896a2e3447e475fb3972fd5707883e6d48c2\
         d1fdb1a24083947375ab1cb6ed91be5b0a9a9f8a0e00d1f2742ff052";

    /// Another prime of as many bits as q.
    const OTHER_Q: &str = "e4675b22323c23e0055b3cc14086bce3da2cf749";
    /// The product of two primes of 512 bits, both 1 modulo q, and g and y of order q.
    const COMPOSITE: [&str; 3] = [
        "c47ba4710a30d65eb42e32ed31efea8129ef4516598b956563c1caf3f01035e6ec498b6ab718166a1d7d3389eed5b228caa4\
         c4dda50fd66fbbe88b17b691167a27cfc717bb07dca08489eea49f2328ec2ea934a6e234a96fabba114e12643563c5c8f01c\
         525df89368b9277a2858817647feeda5ee1c50a710f335faa0c0f21f",
        "98de43a27b8ba8b85af574193b7ce970dec25010baae26289712d13b36b268110b6e75fda074080df2541c7c328e0d931887\
         a0abe4cafe9d70c4d7b7b1cc01b7e29738ffea3b89a0edf0bb497fcac43e4754b52ad35a4d5ca547e01bbc3c69a733aa2c12\
         142df905e9eb6166750a2df27f5f74c92afc406c968461cde3cd625d",
        "7b2eec14495a50adbaf3e2178b41cbfc275eb5123988bbf02c73bd86d5dc333902115bf4a492c2e3343bee052d96444c75a3\
         5a6390161e21fed52623d492a515ca049a352b35d475db2e50e0464ab6135a88c12713f2bd2e1c1e8fba30e4f451d09b8aea\
         c3f5668cdcef4b70a799097a6d2241c39ab2334a89fae06ac5c9e54f",
    ];

    #[test]
    fn dsa_keys() {
        let [p, q, g, y] = [P, Q, G, Y].map(unhex);
        let [product, product_g, product_y] = COMPOSITE.map(unhex);
        let wide = |bytes: &[u8]| BoxedUint::from_be_slice_vartime(bytes);
        let shown = |number: &BoxedUint| number.to_be_bytes().to_vec();
        let two = BoxedUint::from(2u8);
        // q of the right length with the factor 7, and p as it is.
        let mut composite = q.clone();
        while wide(&composite).rem_vartime(&crypto_bigint::NonZero::new(BoxedUint::from(7u8)).unwrap())
            != BoxedUint::from(0u8)
        {
            *composite.last_mut().unwrap() = composite.last().unwrap().wrapping_add(2);
        }
        let minus_one = shown(&(wide(&p) - BoxedUint::from(1u8)));
        let even = shown(&(wide(&p) - BoxedUint::from(3u8)));
        let of = |p: &[u8], q: &[u8], g: &[u8], y: &[u8]| {
            let mut writer = Writer::new();
            writer.unsigned(y);
            spki(DSA, &numbers(&[p, q, g]), 0, &writer.finish())
        };
        for (clause, situation, key, accepted) in [
            ("FIPS 186-4 4.2", "1024 and 160 bits", of(&p, &q, &g, &y), true),
            ("FIPS 186-4 4.2", "q = 7", of(&p, &[7], &g, &y), false),
            ("FIPS 186-4 4.2", "q that is no prime", of(&p, &composite, &g, &y), false),
            ("FIPS 186-4 4.1", "q that does not divide p - 1", of(&p, &unhex(OTHER_Q), &g, &y), false),
            ("FIPS 186-4 4.1", "p of another length", of(&p[1..], &q, &g, &y), false),
            ("FIPS 186-4 4.1", "p even", of(&even, &q, &g, &y), false),
            ("FIPS 186-4 4.1", "g = 1", of(&p, &q, &[1], &y), false),
            ("FIPS 186-4 4.1", "g = p - 1, of order 2", of(&p, &q, &minus_one, &y), false),
            ("FIPS 186-4 4.1", "g of another order", of(&p, &q, &shown(&two), &y), false),
            ("SP 800-89 5.3.1", "y = 1", of(&p, &q, &g, &[1]), false),
            ("SP 800-89 5.3.1", "y = p - 1, of order 2", of(&p, &q, &g, &minus_one), false),
            ("SP 800-89 5.3.1", "y = p", of(&p, &q, &g, &p), false),
            ("SP 800-89 5.3.1", "y of another order", of(&p, &q, &g, &[2]), false),
            // 0 = 0 mod p: with y = 0 every value with v = g^u1 would do.
            ("SP 800-89 5.3.1", "y = 0", of(&p, &q, &g, &[0]), false),
            (
                "FIPS 186-4 4.1",
                "p = p1·p2 with q dividing both less 1",
                of(&product, &q, &product_g, &product_y),
                false,
            ),
        ] {
            let found = refused(&key);
            assert_eq!(found.is_none(), accepted, "{clause} {situation}: {found:?}");
        }
    }

    #[test]
    fn keys_on_curves() {
        let curve =
            |name: &str| element(super::super::curve::CURVES.iter().find(|curve| curve.name == name).unwrap().oid);
        for name in ["secp256r1", "secp384r1", "secp521r1", "brainpoolP256r1", "secp256k1"] {
            let row = super::super::curve::CURVES.iter().find(|curve| curve.name == name).unwrap();
            let (x, y, p) = (unhex(row.domain.x), unhex(row.domain.y), unhex(row.domain.p));
            let point = [&[4][..], &x, &y].concat();
            let mut beside = point.clone();
            *beside.last_mut().unwrap() ^= 1;
            for (clause, situation, unused, point, accepted) in [
                ("SEC 1 2.3.4", "a point", 0, point.clone(), true),
                ("SEC 1 2.3.4", "beside the curve", 0, beside, false),
                ("SEC 1 2.3.4", "x not below p", 0, [&[4][..], &p, &y].concat(), false),
                ("SEC 1 2.3.4", "at infinity", 0, vec![0], false),
                ("SEC 1 2.3.4", "a byte too many", 0, [&point[..], &[0]].concat(), false),
                ("X9.62 hybrid", "the form 06", 0, [&[6][..], &x, &y].concat(), false),
                (
                    "RFC 5480 2.2",
                    "a bit string with unused bits",
                    1,
                    [&point[..point.len() - 1], &[y[y.len() - 1] & 0xfe]].concat(),
                    false,
                ),
            ] {
                let found = refused(&spki(EC, &curve(name), unused, &point));
                assert_eq!(found.is_none(), accepted, "{clause} {name}, {situation}: {found:?}");
            }
        }
    }

    #[test]
    fn keys_of_small_order() {
        let little = |first: u8, length: usize| [&[first][..], &vec![0; length - 1]].concat();
        let sign = |mut bytes: Vec<u8>| {
            *bytes.last_mut().unwrap() |= 0x80;
            bytes
        };
        let p25519 = |less: u8| [&[0xed - less][..], &[0xff; 30], &[0x7f]].concat();
        let p448 = |less: u8| [&[0xff - less][..], &[0xff; 27], &[0xfe], &[0xff; 27], &[0]].concat();
        // RFC 8032 §7.1 and §7.4, the keys of the first vectors.
        let good = unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        let good448 = unhex(
            "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180",
        );
        let eighth = unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
        let other_eighth = unhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
        for (clause, situation, algorithm, key, accepted) in [
            ("RFC 8032 7.1", "a key", ED25519, good.clone(), true),
            ("RFC 8032 8.4", "the neutral point", ED25519, little(1, 32), false),
            ("RFC 8032 5.1.3", "the neutral point, x = -0", ED25519, sign(little(1, 32)), false),
            ("RFC 8032 8.4", "of order 2", ED25519, p25519(1), false),
            ("RFC 8032 8.4", "of order 4", ED25519, little(0, 32), false),
            ("RFC 8032 8.4", "of order 4, the other", ED25519, sign(little(0, 32)), false),
            ("RFC 8032 8.4", "of order 8", ED25519, eighth.clone(), false),
            ("RFC 8032 8.4", "of order 8, its negative", ED25519, sign(eighth), false),
            ("RFC 8032 8.4", "of order 8, another", ED25519, other_eighth, false),
            ("RFC 8032 5.1.3", "y = p + 1", ED25519, [&[0xee][..], &[0xff; 30], &[0x7f]].concat(), false),
            ("RFC 8032 5.1.3", "y = p", ED25519, p25519(0), false),
            // y = 3 is a point of large order; 3 + p is another way to write it.
            ("RFC 8032 5.1.3", "y = 3", ED25519, little(3, 32), true),
            ("RFC 8032 5.1.3", "y = p + 3", ED25519, [&[0xf0][..], &[0xff; 30], &[0x7f]].concat(), false),
            ("RFC 8032 7.4", "a key", ED448, good448, true),
            ("FIPS 186-5 7.8", "the neutral point", ED448, little(1, 57), false),
            ("FIPS 186-5 7.8", "of order 2", ED448, p448(1), false),
            ("FIPS 186-5 7.8", "of order 4", ED448, little(0, 57), false),
            ("FIPS 186-5 7.8", "of order 4, the other", ED448, sign(little(0, 57)), false),
            ("RFC 8032 5.2.3", "y = p", ED448, p448(0), false),
        ] {
            let found = refused(&spki(algorithm, &[], 0, &key));
            assert_eq!(found.is_none(), accepted, "{clause} {situation}: {found:?}");
        }
    }
}

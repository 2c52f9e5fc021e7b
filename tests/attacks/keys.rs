//! Keys as they should be, beside those with which anybody signs: the same messages, their values made rightly.

use super::Expect::Passed;
use super::Row;
use super::certificates::{DSA_SHA256, dsa_key, keyed, small};
use super::check;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, NonZero, Odd, Resize};
use ed25519_dalek::Signer as _;
use lacre_core::algorithm::DigestAlgorithm;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{SHA256, sha256};

/// Domain parameters of 3,072 and 256 bits, made by OpenSSL, and a key of them that is no secret.
const P: &str = "c4d07bf2fa6d71845de957229f5079c9add11b3ccf6584183f32107383048e33f6ba8838bf9f4adc5386367b0fc3dbc7\
    87810211054ec81942aedec0ec631d94ba92c740279120eb2f1ee99a34b972029f39ed0d99ae23afb54ce5629b26dce8\
    155b31b5b7d99119c479d8e5de5d8f53a2f8076ad38b1d4bdccab69cb0f0be5d45fd9be77d7e268b7ea4976980f890c1\
    3f0deb1e3f90b6a4965331ef032f26e3e481c811c43718e46ab22c8d4955ec60eb374b26a379feba8b3a8c1de162237f\
    fad73c0c5910951b5294b16e03fc0fb01a89de0681f762349898f7071ca6c52352e8be5cddc05da5344c375b4da803c3\
    98184cbb740277d4892c7993ca47f0b65be1d803ce3d8c7b96f0cd85a21b253462ffa1fd96268260ad44bb0d4bfabfed\
    4b01b3198d6ab522fefabd5dc0385e75b1813fadb854350c7b5df4338a3e3594d2a9e9d1c7aa3d99398667bc93eab636\
    43c5bb4fc14d68e4bab186247cbae83ff4e95a1eaed96fbf1b2a06577486ed9414099e0a07879e9d6154ef0ea488766f";
const Q: &str = "eafe2b051cc30c460947c2abc94e20c87e6ef3b43450402f1e52f6950ca88cbb";
const G: &str = "2c02a4172b75fe912cfcb4406cc88df17661db0a7212913ceaa0c270d6ba57ec4c58eb53c80b59fa7caef61b8cdf01d2\
    1a52e2bc6973032c85e247c434b6bb7b6a11462be1250089f04bf8e49c144f49d661ea9f327a04f82beb7b7b2f2b5a87\
    22abf9b4f0d8aef0f7a98a23f868a731ca75d3f08e652dd224f3b7d50600f2b6a1f0210fa777865fc973e5f1c9c4bbc8\
    0b4061a54be597a3d27f409f343ba736cca92c27142bff2b4d949b8578e22050c28e2999e3daff52f374da321720b319\
    f2ec458c66641683785886e1d898c7e243f924e357779e8b2495027f12ae6445e9daccdb8993699bee30e41cce400aa3\
    b8c4f3acb2a0634e18d8650324fe2d4eb298ee9153dd5ecef0d48f7b3ad11633588f4c8f60460e662dcb317607a5d6b8\
    7746860da101fbcba706e11154f583d392b68db73a6f5e2d2ef8b42d1b00a7b4efb176dcae71ed335023eafef2de573d\
    4d5ca013ed10d2e41ce031a5957c4d4a75f975606191cef9aec24010e9c20565a704efe6e3a2aa8a92a628aa9a2bd0eb";
const X: &str = "0fd7e72313df0b8c5742f0a9296edda6c30cb46ecf59e222a6e926e89de761b9";

fn number(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        digits.bytes().filter_map(|digit| (digit as char).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn wide(bytes: &[u8]) -> BoxedUint {
    BoxedUint::from_be_slice(bytes, 3072).expect("it fits")
}

fn modulo(bytes: &[u8]) -> BoxedMontyParams {
    BoxedMontyParams::new_vartime(Odd::new(wide(bytes)).into_option().expect("it is odd"))
}

/// g to that power modulo p.
fn power(exponent: &[u8]) -> BoxedUint {
    BoxedMontyForm::new(wide(&number(G)), &modulo(&number(P))).pow_bounded_exp(&wide(exponent), 256).retrieve()
}

/// DSA (FIPS 186-4 §4.6) by the key X, with a number of its own that is no secret either.
fn dsa(bytes: &[u8]) -> Vec<u8> {
    let order = NonZero::new(wide(&number(Q))).into_option().expect("q is not zero");
    let in_q = |number: &BoxedUint| BoxedMontyForm::new(number.rem_vartime(&order), &modulo(&self::number(Q)));
    let secret = sha256(&number(X));
    let r = power(&secret).resize(3072).rem_vartime(&order);
    let sum = &in_q(&wide(&sha256(bytes))) + &(&in_q(&wide(&number(X))) * &in_q(&r));
    let inverse = in_q(&wide(&secret)).invert_vartime().into_option().expect("q is prime");
    let s = (&inverse * &sum).retrieve();
    sequence(&[&unsigned(&r.to_be_bytes()), &unsigned(&s.to_be_bytes())])
}

const CONTROLS: &[Row] = &[("FIPS 186-4 4.6", "a DSA key of 3,072 bits", Passed, |lab| {
    let spki = dsa_key(&number(P), &number(Q), &number(G), &power(&number(X)).to_be_bytes());
    keyed(lab, &spki, DigestAlgorithm::Sha256, SHA256, DSA_SHA256, &dsa)
})];

#[test]
fn k1_keys_as_they_should_be() {
    check(CONTROLS);
}

/// The suite of algorithms has no EdDSA, and nothing else is wrong.
#[test]
fn k1_ed25519_as_it_should_be() {
    let lab = Lab::new();
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let (spki, _) = small("1.3.101.112", key.verifying_key().as_bytes());
    let sign = |bytes: &[u8]| key.sign(bytes).to_bytes().to_vec();
    let given = keyed(&lab, &spki, DigestAlgorithm::Sha512, "2.16.840.1.101.3.4.2.3", "1.3.101.112", &sign);
    let answer = lab.answer(&given.bytes, given.name, &[]);
    assert_eq!(answer.worries, ["ASCCM_CAA_ANS"], "RFC 8032 5.1.6: {}", answer.line());
}

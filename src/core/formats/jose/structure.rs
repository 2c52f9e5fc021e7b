//! Whether the headers have the structure that their standard gives them: the JSON schemas of TS 119 182-1 annex B,
//! RFC 7515 §4, as tables.

use super::json::{Node, Value};
use super::jws::Jws;
use crate::facts::StructuralValidation;

/// What a value has to be.
enum Shape {
    Any,
    Text,
    Number,
    Flag,
    /// RFC 3339 §5.6.
    DateTime,
    /// An array with so many elements at least.
    List(&'static Shape, usize),
    /// An object with these members and no others, of which so many at least and at most.
    Object(&'static [Member], usize, usize),
}

struct Member {
    name: &'static str,
    shape: &'static Shape,
    required: bool,
}

const fn may(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: false }
}

const fn must(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: true }
}

const ALL: usize = usize::MAX;
const TEXTS: Shape = Shape::List(&Shape::Text, 1);
/// §5.4.1.
const O_ID: Shape =
    Shape::Object(&[must("id", &Shape::Text), may("desc", &Shape::Text), may("docRefs", &TEXTS)], 1, ALL);
/// §5.4.2.
const PKI_OB: Shape =
    Shape::Object(&[may("encoding", &Shape::Text), may("specRef", &Shape::Text), must("val", &Shape::Text)], 1, ALL);
const PKI_OBS: Shape = Shape::List(&PKI_OB, 1);
/// §5.4.3.3.
const TST_TOKEN: Shape = Shape::Object(
    &[
        may("type", &Shape::Text),
        may("encoding", &Shape::Text),
        may("specRef", &Shape::Text),
        must("val", &Shape::Text),
    ],
    1,
    ALL,
);
const TST_CONTAINER: Shape =
    Shape::Object(&[may("canonAlg", &Shape::Text), must("tstTokens", &Shape::List(&TST_TOKEN, 1))], 1, ALL);
/// §5.2.2.2.
const X5T_O: Shape = Shape::Object(&[must("digAlg", &Shape::Text), must("digVal", &Shape::Text)], 2, ALL);
/// §5.2.3.
const COMMITMENT: Shape =
    Shape::Object(&[must("commId", &O_ID), may("commQuals", &Shape::List(&Shape::Any, 1))], 1, ALL);
/// §5.2.4.
const PLACE: Shape = Shape::Object(
    &[
        may("addressCountry", &Shape::Text),
        may("addressLocality", &Shape::Text),
        may("addressRegion", &Shape::Text),
        may("postOfficeBoxNumber", &Shape::Text),
        may("postalCode", &Shape::Text),
        may("streetAddress", &Shape::Text),
    ],
    1,
    ALL,
);
/// §5.2.5.
const Q_ARRAYS: Shape = Shape::List(
    &Shape::Object(
        &[must("mediaType", &Shape::Text), must("encoding", &Shape::Text), must("qVals", &Shape::List(&Shape::Any, 1))],
        3,
        ALL,
    ),
    1,
);
const CERTIFIED: Shape = Shape::Object(&[may("x509AttrCert", &PKI_OB), may("otherAttrCert", &PKI_OB)], 1, 1);
const ATTRIBUTES: Shape = Shape::Object(
    &[may("certified", &Shape::List(&CERTIFIED, 1)), may("claimed", &Q_ARRAYS), may("signedAssertions", &Q_ARRAYS)],
    1,
    ALL,
);
/// §5.2.7.
const NOTICE_REF: Shape = Shape::Object(
    &[must("organization", &Shape::Text), must("noticeNumbers", &Shape::List(&Shape::Number, 1))],
    2,
    ALL,
);
const NOTICE: Shape = Shape::Object(&[may("noticeRef", &NOTICE_REF), may("explText", &Shape::Text)], 1, ALL);
const QUALIFIER: Shape =
    Shape::Object(&[may("spUserNotice", &NOTICE), may("spURI", &Shape::Text), may("spDSpec", &O_ID)], 1, 1);
const POLICY: Shape = Shape::Object(
    &[
        must("id", &O_ID),
        may("digAlg", &Shape::Text),
        may("digVal", &Shape::Text),
        may("digPSp", &Shape::Flag),
        may("sigPQuals", &Shape::List(&QUALIFIER, 1)),
    ],
    1,
    ALL,
);
/// §5.2.8.
const SIG_D: Shape = Shape::Object(
    &[
        must("mId", &Shape::Text),
        may("pars", &TEXTS),
        may("hashM", &Shape::Text),
        may("hashV", &TEXTS),
        may("ctys", &TEXTS),
    ],
    1,
    ALL,
);

/// The protected header: RFC 7515 §4.1, RFC 7797 §3, TS 119 182-1 §5.1 and §5.2. Others are open.
const PROTECTED: [Member; 23] = [
    must("alg", &Shape::Text),
    may("jku", &Shape::Text),
    may("jwk", &Shape::Any),
    may("kid", &Shape::Text),
    may("x5u", &Shape::Text),
    may("x5c", &Shape::List(&Shape::Text, 0)),
    may("x5t", &Shape::Text),
    may("x5t#S256", &Shape::Text),
    may("typ", &Shape::Text),
    may("cty", &Shape::Text),
    may("crit", &Shape::List(&Shape::Text, 0)),
    may("b64", &Shape::Flag),
    may("iat", &Shape::Number),
    may("sigT", &Shape::DateTime),
    may("x5t#o", &X5T_O),
    may("sigX5ts", &Shape::List(&X5T_O, 2)),
    may("srCms", &Shape::List(&COMMITMENT, 1)),
    may("sigPl", &PLACE),
    may("srAts", &ATTRIBUTES),
    may("adoTst", &TST_CONTAINER),
    may("sigPId", &POLICY),
    may("sigD", &SIG_D),
    may("exp", &Shape::Any),
];

/// §5.3.3, §5.3.5, annex A.1.
const STORE: Shape = Shape::Object(
    &[may("sigPolDoc", &Shape::Text), may("sigPolLocalURI", &Shape::Text), may("spDSpec", &O_ID)],
    1,
    ALL,
);
const X_VALS: Shape = Shape::List(&Shape::Object(&[may("x509Cert", &PKI_OB), may("otherCert", &PKI_OB)], 1, 1), 1);
const R_VALS: Shape = Shape::Object(
    &[may("crlVals", &PKI_OBS), may("ocspVals", &PKI_OBS), may("otherVals", &Shape::List(&Shape::Any, 1))],
    1,
    ALL,
);
const VALIDATION_DATA: Shape = Shape::Object(&[may("xVals", &X_VALS), may("rVals", &R_VALS)], 1, ALL);
const X_REFS: Shape = Shape::List(
    &Shape::Object(
        &[
            must("digAlg", &Shape::Text),
            must("digVal", &Shape::Text),
            may("kid", &Shape::Text),
            may("x5u", &Shape::Text),
        ],
        2,
        ALL,
    ),
    1,
);
const R_REFS: Shape = Shape::Object(
    &[
        may("crlRefs", &Shape::List(&Shape::Any, 1)),
        may("ocspRefs", &Shape::List(&Shape::Any, 1)),
        may("otherRefs", &Shape::List(&Shape::Any, 1)),
    ],
    1,
    ALL,
);
const COMPONENTS: [Member; 16] = [
    may("sigPSt", &STORE),
    may("sigTst", &TST_CONTAINER),
    may("xVals", &X_VALS),
    may("rVals", &R_VALS),
    may("axVals", &X_VALS),
    may("arVals", &R_VALS),
    may("tstVD", &VALIDATION_DATA),
    may("anyValData", &VALIDATION_DATA),
    may("arcTst", &TST_CONTAINER),
    may("xRefs", &X_REFS),
    may("rRefs", &R_REFS),
    may("axRefs", &X_REFS),
    may("arRefs", &R_REFS),
    may("sigRTst", &TST_CONTAINER),
    may("rfsTst", &TST_CONTAINER),
    may("cSig", &Shape::Any),
];

/// Checks the headers of a signature.
pub(super) fn validate(jws: &Jws<'_>) -> StructuralValidation {
    let mut messages = vec![];
    open_object(&jws.protected, &PROTECTED, "protected", &mut messages);
    let has = |name: &str| jws.protected.get(name).is_some();
    if !["x5c", "x5t#S256", "sigX5ts", "x5t#o"].iter().any(|name| has(name)) {
        messages.push("protected: found none of `x5c`, `x5t#S256`, `x5t#o`, `sigX5ts`; expected one".into());
    }
    if has("iat") == has("sigT") {
        messages.push("protected: expected one of `iat` and `sigT`".into());
    }
    if has("x5t") {
        messages.push("protected: found `x5t`, which JAdES does not have".into());
    }
    for (name, value) in jws.unprotected.members() {
        if name != "etsiU" {
            messages.push(format!("header: found `{name}`; expected `etsiU` only"));
        } else if !matches!(value.value, Value::Array(_)) || !jws.etsi_u.well_formed {
            messages.push("header: `etsiU` is no list of Base64url texts, or of objects, with one member each".into());
        }
    }
    for component in jws.etsi_u.members() {
        match COMPONENTS.iter().find(|member| member.name == component.name) {
            Some(member) => check(&component.value, member.shape, member.name, &mut messages),
            None => messages.push(format!("header: `etsiU` has a component `{}`, which is not known", component.name)),
        }
    }
    StructuralValidation { valid: messages.is_empty(), messages }
}

fn open_object(node: &Node<'_>, members: &[Member], place: &str, messages: &mut Vec<String>) {
    for member in members {
        match node.get(member.name) {
            Some(value) => check(value, member.shape, member.name, messages),
            None if member.required => messages.push(format!("{place}: expected a member `{}`", member.name)),
            None => {}
        }
    }
}

/// Compares a value with a shape, and adds a message where it differs. The depth is the tables'.
fn check(node: &Node<'_>, shape: &Shape, place: &str, messages: &mut Vec<String>) {
    let mut expect = |fits: bool, expected: &str| {
        if !fits {
            messages.push(format!("{place}: expected {expected}"));
        }
    };
    match (shape, &node.value) {
        (Shape::Any, _) => {}
        (Shape::Text, value) => expect(matches!(value, Value::String(_)), "a text"),
        (Shape::Number, value) => expect(matches!(value, Value::Number(_)), "a number"),
        (Shape::Flag, value) => expect(matches!(value, Value::Bool(_)), "true or false"),
        (Shape::DateTime, _) => {
            let time = node.text().map(|text| text.parse::<crate::time::Time>().is_ok());
            expect(time == Some(true), "a date and time");
        }
        (Shape::List(of, least), Value::Array(elements)) => {
            expect(elements.len() >= *least, "more elements");
            elements.iter().for_each(|element| check(element, of, place, messages));
        }
        (Shape::List(..), _) => expect(false, "a list"),
        (Shape::Object(known, least, most), Value::Object(members)) => {
            expect((*least..=*most).contains(&members.len()), "another number of members");
            for (name, _) in members.iter().filter(|(name, _)| known.iter().all(|member| member.name != name)) {
                messages.push(format!("{place}: found a member `{name}`, which is not known"));
            }
            open_object(node, known, place, messages);
        }
        (Shape::Object(..), _) => expect(false, "an object"),
    }
}

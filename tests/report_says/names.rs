//! People are called by their names.

use crate::given::*;
use crate::says::{Row, Says::*, check};

pub const ROWS: &[Row] = &[
    (
        "X.520 6.4.3",
        "given name and surname, no common name",
        |lab| called(lab, &[("2.5.4.42", "Zoë"), ("2.5.4.4", "Ångström")]),
        &[
            Words(&["Zoë Ångström"]),
            Json("/signatures/0/signer/name", "Zoë Ångström"),
            Json("/signatures/0/signer/surname", "Ångström"),
            Json("/signatures/0/signing_certificate/subject", "surname=Ångström,givenName=Zoë"),
        ],
    ),
    (
        "EN 319 412-1 5.1.3",
        "a national personal number",
        |lab| called(lab, &[("2.5.4.3", "Mari Maasikas"), ("2.5.4.5", "PNOEE-38001085718")]),
        &[
            Words(&["Mari Maasikas", "PNOEE-38001085718", "EE)"]),
            Json("/signatures/0/signer/serial_number/type", "PNO"),
            Json("/signatures/0/signer/serial_number/country", "EE"),
        ],
    ),
    (
        "EN 319 412-1 5.1.4",
        "an organisation with its number",
        |lab| called(lab, &[("2.5.4.10", "Example SA"), ("2.5.4.97", "VATPT-500000000")]),
        &[
            Words(&["Example SA", "VATPT-500000000"]),
            Json("/signatures/0/signer/name", "Example SA"),
            Json("/signatures/0/signer/organisation", "Example SA"),
            Json("/signatures/0/signer/organisation_identifier/type", "VAT"),
            Json("/signatures/0/signing_certificate/subject", "organizationIdentifier=VATPT-500000000,O=Example SA"),
        ],
    ),
    (
        "EN 319 412-2 4.2.4",
        "a pseudonym",
        |lab| called(lab, &[("2.5.4.65", "Nightingale")]),
        &[Words(&["Nightingale"]), Json("/signatures/0/signer/pseudonym", "Nightingale")],
    ),
];

#[test]
fn people_are_called_by_name() {
    check(ROWS);
}

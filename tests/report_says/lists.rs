//! Trusted lists are named with their dates.

use crate::given::*;
use crate::says::{Row, Says::*, check};

pub const ROWS: &[Row] = &[
    (
        "TS 119 612 5.3.15",
        "a list that is current",
        |_| sealed("2036-01-01T00:00:00Z"),
        &[
            Words(&["Example Seal", "Seals of Example Trust", "2026-11-30", "EE"]),
            Json("/signatures/0/qualification", "QESEAL"),
        ],
    ),
    (
        "TS 119 612 5.3.15",
        "a list that is overdue",
        |_| sealed("2026-12-25T00:00:00Z"),
        &[
            Words(&["Example Seal", "2026-12-25 00:00:00 UTC", "https://lists.example/EE.xml"]),
            Finding("QUAL_TL_EXP_ANS", "EE", "next update 2026-12-25T00:00:00Z, after 2027-01-01T00:00:00Z"),
            Json("/signatures/0/qualification", "NA"),
            Json("/wanted/0/territory", "EE"),
        ],
    ),
];

#[test]
fn lists_are_named_with_their_dates() {
    check(ROWS);
}

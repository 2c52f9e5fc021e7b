//! A list of lists and Estonia's list, published by a server of the test.

use crate::http::{Reply, Server};
use crate::trusted_list::{List, Signer};
use lacre_core::x509::Certificate;
use std::sync::{Arc, OnceLock};

pub struct Published {
    server: Server,
    /// Who signs the list of lists.
    pub signer: Signer,
}

impl Published {
    /// Lists in which `authority` is granted the status of issuing qualified certificates for seals.
    pub fn new(authority: &Certificate) -> Self {
        let (signer, national) = (Signer::new("LOTL"), Signer::new("EE"));
        let pages: Arc<OnceLock<[Vec<u8>; 2]>> = Arc::default();
        let known = Arc::clone(&pages);
        let server = Server::start(move |request| match (request.path.as_str(), known.get()) {
            ("/lotl.xml", Some([list, _])) => Reply::ok(list.clone()),
            ("/EE.xml", Some([_, list])) => Reply::ok(list.clone()),
            _ => Reply::status(404),
        });
        let pointers = [
            (server.url("/lotl.xml"), "EU", true, vec![&signer]),
            (server.url("/EE.xml"), "EE", false, vec![&national]),
        ];
        let lotl =
            List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
        let own = List {
            of_lists: false,
            territory: "EE",
            number: 62,
            information: &[],
            pointers: &[],
            services: &[authority],
        };
        pages.get_or_init(|| [lotl.signed_by(&signer), own.signed_by(&national)]);
        Self { server, signer }
    }

    /// What `lacre lists update` has to be told: where the list of lists is, and that this machine may be asked.
    pub fn options(&self) -> [String; 4] {
        ["--list-of-lists".into(), self.server.url("/lotl.xml"), "--allow-address".into(), self.server.address()]
    }
}

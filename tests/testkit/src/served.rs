//! Authorities, and the server that has what their certificates say that it has.

use crate::authorities::Pki;
use crate::http::{Reply, Request, Server};
use std::sync::{Arc, OnceLock};

/// Authorities and their server, of which `spoil` may answer what it wants.
pub fn start(spoil: impl Fn(&Pki, &Request) -> Option<Reply> + Send + Sync + 'static) -> (Arc<OnceLock<Pki>>, Server) {
    let pki: Arc<OnceLock<Pki>> = Arc::default();
    let known = Arc::clone(&pki);
    let server = Server::start(move |request| {
        let pki = known.get().expect("it is made before anybody asks");
        spoil(pki, request).unwrap_or_else(|| match request.path.as_str() {
            "/root.crl" => Reply::ok(pki.root_crl()),
            "/ca.crl" => Reply::ok(pki.crl(false)),
            "/ca.der" => Reply::ok(pki.authority.der()),
            _ => match ocsp_request(request) {
                Some(request) => Reply::ok(pki.ocsp(&request)),
                None => Reply::status(404),
            },
        })
    });
    pki.get_or_init(|| Pki::new(&server.url("")));
    (pki, server)
}

/// What is asked of `/ocsp`: RFC 6960 appendix A.1, by POST, or in the address in Base64 with `%xx` for what addresses do
/// not hold.
pub fn ocsp_request(request: &Request) -> Option<Vec<u8>> {
    let Some(text) = request.path.strip_prefix("/ocsp/") else {
        return (request.path == "/ocsp").then(|| request.body.clone());
    };
    let text = text.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=");
    base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text).ok()
}

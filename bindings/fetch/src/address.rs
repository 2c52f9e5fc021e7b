//! The permitted addresses: public ones, and those that the operator permits.

use crate::FetchError;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// The permitted addresses; by default every public one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addresses {
    allowed: Vec<(IpAddr, Option<u16>)>,
}

impl Addresses {
    /// Permits every public address.
    pub fn public() -> Self {
        Self::default()
    }

    /// Permits one more address, as in `10.1.2.3`, `127.0.0.1:8080` or `[fd00::1]:80`. `None` where it is not an address.
    pub fn and(mut self, address: &str) -> Option<Self> {
        let one = match address.parse::<SocketAddr>() {
            Ok(socket) => (socket.ip(), Some(socket.port())),
            Err(_) => (address.trim_matches(['[', ']']).parse().ok()?, None),
        };
        self.allowed.push(one);
        Some(self)
    }

    fn allow(&self, address: SocketAddr) -> bool {
        let named = |(ip, port): &(IpAddr, Option<u16>)| {
            *ip == address.ip().to_canonical() && port.is_none_or(|port| port == address.port())
        };
        is_public(address.ip()) || self.allowed.iter().any(named)
    }
}

/// Networks of IPv4 that are not public: the IANA special-purpose registry (RFC 6890), with multicast (RFC 5771).
const NOT_PUBLIC_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // "this network", RFC 791 §3.2
    ([10, 0, 0, 0], 8),      // private use, RFC 1918
    ([100, 64, 0, 0], 10),   // shared by carriers, RFC 6598
    ([127, 0, 0, 0], 8),     // loopback, RFC 1122 §3.2.1.3
    ([169, 254, 0, 0], 16),  // link-local, RFC 3927; metadata services of clouds
    ([172, 16, 0, 0], 12),   // private use, RFC 1918
    ([192, 0, 0, 0], 24),    // protocol assignments, RFC 6890 §2.1
    ([192, 0, 2, 0], 24),    // documentation, RFC 5737
    ([192, 88, 99, 0], 24),  // 6to4 relays, RFC 7526
    ([192, 168, 0, 0], 16),  // private use, RFC 1918
    ([198, 18, 0, 0], 15),   // benchmarks, RFC 2544
    ([198, 51, 100, 0], 24), // documentation, RFC 5737
    ([203, 0, 113, 0], 24),  // documentation, RFC 5737
    ([224, 0, 0, 0], 4),     // multicast, RFC 5771
    ([240, 0, 0, 0], 4),     // reserved and limited broadcast, RFC 1112 §4, RFC 919
];

/// Networks of IPv6 within the public 2000::/3 that are not public, or that lead to IPv4 addresses.
const NOT_PUBLIC_V6: &[([u16; 8], u32)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),     // protocol assignments with Teredo, RFC 2928
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), // documentation, RFC 3849
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),     // 6to4, RFC 3056
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),     // documentation, RFC 9637
];

/// Returns whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => !NOT_PUBLIC_V4.iter().any(|(network, bits)| {
            let network = Ipv4Addr::from(*network).to_bits();
            (v4.to_bits() ^ network) >> (32 - bits) == 0
        }),
        IpAddr::V6(v6) => {
            let within =
                |network: [u16; 8], bits: u32| (v6.to_bits() ^ Ipv6Addr::from(network).to_bits()) >> (128 - bits) == 0;
            // RFC 4291 §2.4: global unicast is assigned from 2000::/3 only.
            within([0x2000, 0, 0, 0, 0, 0, 0, 0], 3) && !NOT_PUBLIC_V6.iter().any(|(net, bits)| within(*net, *bits))
        }
    }
}

/// Resolves names to permitted addresses. The connection goes to one of these, so that a name that resolves to another
/// address a moment later changes nothing.
#[derive(Debug)]
pub(crate) struct Guarded {
    pub inner: DefaultResolver,
    pub addresses: Addresses,
}

impl Resolver for Guarded {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let mut kept = self.empty();
        found.iter().filter(|address| self.addresses.allow(**address)).for_each(|address| kept.push(*address));
        match (kept.is_empty(), found.iter().next()) {
            (true, Some(address)) => {
                let host = uri.host().unwrap_or_default().to_owned();
                Err(ureq::Error::Other(Box::new(Refused { host, address: address.ip() })))
            }
            _ => Ok(kept),
        }
    }
}

/// No address of a host is permitted: an error that passes through the HTTP client.
#[derive(Debug)]
pub(crate) struct Refused {
    host: String,
    address: IpAddr,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.host, self.address)
    }
}

impl std::error::Error for Refused {}

impl From<&Refused> for FetchError {
    fn from(refused: &Refused) -> Self {
        Self::PrivateAddress { host: refused.host.clone(), address: refused.address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_public() {
        for (clause, address, public) in [
            ("RFC 1918", "10.255.255.255", false),
            ("RFC 1918", "11.0.0.0", true),
            ("RFC 1918", "172.15.255.255", true),
            ("RFC 1918", "172.16.0.0", false),
            ("RFC 1918", "172.31.255.255", false),
            ("RFC 1918", "172.32.0.0", true),
            ("RFC 1918", "192.168.1.1", false),
            ("RFC 1122", "127.0.0.1", false),
            ("RFC 1122", "127.255.0.1", false),
            ("RFC 3927", "169.254.169.254", false),
            ("RFC 6598", "100.64.0.1", false),
            ("RFC 6598", "100.128.0.1", true),
            ("RFC 791", "0.0.0.0", false),
            ("RFC 5771", "224.0.0.1", false),
            ("RFC 919", "255.255.255.255", false),
            ("a public address", "147.67.34.45", true),
            ("RFC 4291 2.5.3", "::1", false),
            ("RFC 4291 2.5.2", "::", false),
            ("RFC 4291 2.5.5.2", "::ffff:127.0.0.1", false),
            ("RFC 4291 2.5.5.2", "::ffff:147.67.34.45", true),
            ("RFC 4193", "fd00::1", false),
            ("RFC 4291 2.5.6", "fe80::1", false),
            ("RFC 4291 2.7", "ff02::1", false),
            ("RFC 6052", "64:ff9b::7f00:1", false),
            ("RFC 3056", "2002:7f00:1::1", false),
            ("RFC 4380", "2001::1", false),
            ("RFC 3849", "2001:db8::1", false),
            ("a public address", "2a01:7080:14:100::666:45", true),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{clause}: {address}");
        }
    }

    #[test]
    fn what_the_operator_allows() {
        let addresses = Addresses::public().and("127.0.0.1:8080").and_then(|a| a.and("fd00::1")).unwrap();
        for (address, allowed) in [
            ("127.0.0.1:8080", true),
            ("127.0.0.1:80", false),
            ("127.0.0.2:8080", false),
            ("[::ffff:127.0.0.1]:8080", true),
            ("[fd00::1]:80", true),
            ("[fd00::2]:80", false),
            ("147.67.34.45:443", true),
        ] {
            assert_eq!(addresses.allow(address.parse().unwrap()), allowed, "{address}");
        }
        assert_eq!(Addresses::public().and("localhost"), None, "a name may mean anything tomorrow");
    }
}

//! The standard security handler: ISO 32000-1 §7.6, ISO 32000-2 §7.6.4.
//!
//! A signature is made over the bytes of the file, so most of a signed file is judged as it
//! is. Only what is *read* (names of fields, reasons, comparison of streams) is decrypted;
//! `/Contents` of a signature never is (§7.6.1).

use super::error::PdfError;
use super::object::{Dictionary, Object, Reference};
use aes::cipher::{Block, BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit};
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};
use std::borrow::Cow;

/// How strings or streams are encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Not at all.
    Identity,
    /// RC4 with a key per object.
    Rc4,
    /// AES-128 in CBC mode with a key per object.
    Aes128,
    /// AES-256 in CBC mode with the file's key.
    Aes256,
}

/// The key to a file.
#[derive(Debug, Clone)]
pub struct Security {
    pub(super) key: Vec<u8>,
    pub(super) strings: Method,
    pub(super) streams: Method,
    /// The crypt filters that streams may name (ISO 32000-1 table 20, `CF`).
    filters: Vec<(Vec<u8>, Method)>,
    encrypt_metadata: bool,
    access: Access,
}

/// What the password that opened a file gives access to: ISO 32000-1 table 22.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Whether it is the owner's, who may do everything.
    owner: bool,
    /// `/R`, the revision of the handler.
    revision: i64,
    /// `/P`, bit 1 as the lowest.
    permissions: u32,
}

impl Access {
    /// Tells whether existing fields may be filled in and signed.
    pub fn fills_fields(&self) -> bool {
        // Bit 9 is of revision 3 and above.
        self.owner || self.has(6) || self.revision >= 3 && self.has(9)
    }

    /// Tells whether new fields may be made.
    pub fn adds_fields(&self) -> bool {
        self.owner || self.has(4) && self.has(6)
    }

    fn has(&self, bit: u32) -> bool {
        self.permissions & 1 << (bit - 1) != 0
    }
}

/// The padding of passwords: ISO 32000-1 §7.6.3.3, algorithm 2, step a.
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08, 0x2E, 0x2E, 0x00,
    0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

impl Security {
    /// Opens the encryption dictionary with the user's or owner's password, or with the empty one.
    ///
    /// `dictionary` has its values resolved, and `resolve` does so with those in them; `file_id` is the first string of the
    /// trailer's `/ID`.
    pub fn open<'a>(
        dictionary: &Dictionary<'a>,
        resolve: &dyn Fn(&Object<'a>) -> Object<'a>,
        file_id: &[u8],
        password: Option<&[u8]>,
    ) -> Result<Self, PdfError> {
        let integer = |key: &[u8]| dictionary.get(key).and_then(Object::integer);
        let string =
            |key: &[u8]| dictionary.get(key).and_then(Object::string).map_or(Cow::Borrowed(&[][..]), |s| s.bytes());
        let handler = dictionary.get(b"Filter").and_then(Object::name).unwrap_or_default();
        let version = integer(b"V").unwrap_or(0);
        let revision = integer(b"R").unwrap_or(0);
        let unsupported = || PdfError::UnsupportedEncryption {
            handler: String::from_utf8_lossy(handler).into_owned(),
            version,
            revision,
        };
        if handler != b"Standard" || !matches!((version, revision), (1 | 2 | 4, 2..=4) | (5, 5 | 6)) {
            return Err(unsupported());
        }
        let encrypt_metadata = dictionary.get(b"EncryptMetadata") != Some(&Object::Boolean(false));
        let filters = crypt_filters(dictionary, resolve);
        // Those of all streams and strings, by their names.
        let method = |key: &[u8]| match dictionary.get(key).and_then(Object::name).unwrap_or(b"Identity") {
            _ if version < 4 => Some(Method::Rc4),
            b"Identity" => Some(Method::Identity),
            name => filters.iter().find(|(known, _)| known == name).map(|(_, method)| *method),
        };
        let [streams, strings] = [method(b"StmF"), method(b"StrF")];
        let (streams, strings) = (streams.ok_or_else(unsupported)?, strings.ok_or_else(unsupported)?);
        let length = match version {
            1 => 5,
            4 => 16,
            _ => usize::try_from(integer(b"Length").unwrap_or(40) / 8).unwrap_or(5).clamp(5, 16),
        };
        let (owner, user, owner_key, user_key) = (string(b"O"), string(b"U"), string(b"OE"), string(b"UE"));
        let handler = Handler {
            revision,
            length,
            owner: &owner,
            user: &user,
            owner_key: &owner_key,
            user_key: &user_key,
            // Only the low 32 bits count, written with or without sign.
            permissions: integer(b"P").unwrap_or(0) as u32,
            file_id,
            encrypt_metadata,
        };
        let (key, owner) = password
            .into_iter()
            .chain([&[][..]])
            .find_map(|password| handler.key(password))
            .ok_or(PdfError::WrongPassword)?;
        let access = Access { owner, revision, permissions: handler.permissions };
        Ok(Self { key, strings, streams, filters, encrypt_metadata, access })
    }

    /// Returns what the password gives access to.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Decrypts a string in object `id`.
    pub fn string(&self, id: Reference, data: &[u8]) -> Vec<u8> {
        self.decrypt(self.strings, id, data)
    }

    /// Decrypts the stream `id`, of which `kind` is the `/Type`, and `filter` the crypt filter that it names, if it names one;
    /// `None` where it is not encrypted.
    pub fn stream(&self, id: Reference, kind: Option<&[u8]>, filter: Option<&[u8]>, data: &[u8]) -> Option<Vec<u8>> {
        let named = |name: &[u8]| self.filters.iter().find(|(filter, _)| filter == name).map(|(_, method)| *method);
        let method = match (kind, filter) {
            // §7.5.8.2: cross-reference streams are never encrypted.
            (Some(b"XRef"), _) | (_, Some(b"Identity")) => Method::Identity,
            (_, Some(name)) => named(name).unwrap_or(self.streams),
            (Some(b"Metadata"), None) if !self.encrypt_metadata => Method::Identity,
            _ => self.streams,
        };
        (method != Method::Identity).then(|| self.decrypt(method, id, data))
    }

    /// Decrypts data of an object (ISO 32000-1 §7.6.2, algorithm 1; ISO 32000-2 algorithm 1.A).
    fn decrypt(&self, method: Method, id: Reference, data: &[u8]) -> Vec<u8> {
        match method {
            Method::Identity => data.to_vec(),
            Method::Rc4 => rc4(&self.object_key(id, false), data),
            Method::Aes128 => cbc_decrypt::<aes::Aes128>(&self.object_key(id, true), data),
            Method::Aes256 => cbc_decrypt::<aes::Aes256>(&self.key, data),
        }
    }

    pub(super) fn object_key(&self, id: Reference, aes: bool) -> Vec<u8> {
        let mut digest = Md5::new();
        digest.update(&self.key);
        digest.update(&id.number.to_le_bytes()[..3]);
        digest.update(id.generation.to_le_bytes());
        if aes {
            digest.update(b"sAlT");
        }
        digest.finalize()[..(self.key.len() + 5).min(16)].to_vec()
    }
}

/// Returns the crypt filters with their methods, as far as these are known: ISO 32000-1 §7.6.5. They may be other objects (§7.3.10).
fn crypt_filters<'a>(
    dictionary: &Dictionary<'a>,
    resolve: &dyn Fn(&Object<'a>) -> Object<'a>,
) -> Vec<(Vec<u8>, Method)> {
    let Some(Object::Dictionary(filters)) = dictionary.get(b"CF") else { return Vec::new() };
    let method = |filter: &Object<'a>| match resolve(filter) {
        Object::Dictionary(filter) => method(resolve(filter.get(b"CFM")?).name()?),
        _ => None,
    };
    filters.iter().filter_map(|(name, filter)| Some((name.to_vec(), method(filter)?))).collect()
}

/// Returns the method of a crypt filter: ISO 32000-1 table 25.
fn method(name: &[u8]) -> Option<Method> {
    match name {
        b"None" => Some(Method::Identity),
        b"V2" => Some(Method::Rc4),
        b"AESV2" => Some(Method::Aes128),
        b"AESV3" => Some(Method::Aes256),
        _ => None,
    }
}

/// ISO 32000-1 table 21.
struct Handler<'a> {
    revision: i64,
    length: usize,
    owner: &'a [u8],
    user: &'a [u8],
    owner_key: &'a [u8],
    user_key: &'a [u8],
    permissions: u32,
    file_id: &'a [u8],
    encrypt_metadata: bool,
}

impl Handler<'_> {
    /// Returns the file's key, if `password` is the user's or the owner's, and whether it is the owner's.
    ///
    /// NOTE: without an owner's password the user's is the owner's, too (§7.6.3.4, algorithm 3).
    fn key(&self, password: &[u8]) -> Option<(Vec<u8>, bool)> {
        if self.revision >= 5 {
            return self.key_aes256(password);
        }
        let of_owner = self.key_of_user(&self.user_password(password)).map(|key| (key, true));
        of_owner.or_else(|| self.key_of_user(&pad(password)).map(|key| (key, false)))
    }

    /// Returns the key from the user's padded password, where that is right (ISO 32000-1 algorithms 2, 4, 5 and 6).
    fn key_of_user(&self, padded: &[u8; 32]) -> Option<Vec<u8>> {
        let mut digest = Md5::new();
        digest.update(padded);
        digest.update(self.owner.get(..32)?);
        digest.update(self.permissions.to_le_bytes());
        digest.update(self.file_id);
        if self.revision >= 4 && !self.encrypt_metadata {
            digest.update([0xFF; 4]);
        }
        let key = self.stretch(digest.finalize().into());
        if self.revision == 2 {
            return (rc4(&key, &PADDING) == self.user.get(..32)?).then_some(key);
        }
        let mut check = Md5::new();
        check.update(PADDING);
        check.update(self.file_id);
        let check = (0..20u8).fold(check.finalize().to_vec(), |data, round| rc4(&masked(&key, round), &data));
        (check == self.user.get(..16)?).then_some(key)
    }

    /// Returns the user's password, padded, out of the owner's (ISO 32000-1 algorithm 7).
    fn user_password(&self, owner: &[u8]) -> [u8; 32] {
        let key = self.stretch(Md5::digest(pad(owner)).into());
        let rounds = if self.revision == 2 { 0..1 } else { 0..20u8 };
        let data = rounds.rev().fold(self.owner.to_vec(), |data, round| rc4(&masked(&key, round), &data));
        pad(&data)
    }

    /// Makes a key of a digest: by fifty more digests from revision 3 on, then as many bytes as the key has.
    fn stretch(&self, digest: [u8; 16]) -> Vec<u8> {
        let rounds = if self.revision >= 3 { 50 } else { 0 };
        let digest = (0..rounds).fold(digest, |digest, _| Md5::digest(&digest[..self.length]).into());
        digest[..self.length].to_vec()
    }

    /// Returns the key from the password, and whether that is the owner's (ISO 32000-2 algorithm 2.A).
    fn key_aes256(&self, password: &[u8]) -> Option<(Vec<u8>, bool)> {
        let password = &password[..password.len().min(127)];
        let user = self.user.get(..48)?;
        let owner = self.owner.get(..48)?;
        let (intermediate, wrapped, is_owner) = if self.hash(password, &owner[32..40], user) == owner[..32] {
            (self.hash(password, &owner[40..48], user), self.owner_key, true)
        } else if self.hash(password, &user[32..40], &[]) == user[..32] {
            (self.hash(password, &user[40..48], &[]), self.user_key, false)
        } else {
            return None;
        };
        let mut data = vec![0; 16];
        data.extend_from_slice(wrapped.get(..32)?);
        Some((cbc_decrypt_blocks::<aes::Aes256>(&intermediate, &data), is_owner))
    }

    /// Returns the hash of a password (ISO 32000-2 algorithm 2.B); revision 5 stops after the first digest.
    fn hash(&self, password: &[u8], salt: &[u8], user: &[u8]) -> Vec<u8> {
        let mut key = Sha256::digest([password, salt, user].concat()).to_vec();
        if self.revision == 5 {
            return key;
        }
        let mut round = 0;
        loop {
            let mut data = [password, &key, user].concat().repeat(64);
            cbc_encrypt_blocks::<aes::Aes128>(&key[..16], &key[16..32], &mut data);
            // 256 is 1 modulo 3, so the number's remainder is that of the sum of its bytes.
            key = match data[..16].iter().map(|&o| u32::from(o)).sum::<u32>() % 3 {
                0 => Sha256::digest(&data).to_vec(),
                1 => Sha384::digest(&data).to_vec(),
                _ => Sha512::digest(&data).to_vec(),
            };
            round += 1;
            // 64 rounds, then until the last byte is at most the round less 32: 287 at the most.
            if round >= 64 && data.last().is_none_or(|&last| i32::from(last) <= round - 32) {
                key.truncate(32);
                return key;
            }
        }
    }
}

fn pad(password: &[u8]) -> [u8; 32] {
    let mut padded = [0; 32];
    for (byte, from) in padded.iter_mut().zip(password.iter().chain(&PADDING)) {
        *byte = *from;
    }
    padded
}

fn masked(key: &[u8], mask: u8) -> Vec<u8> {
    key.iter().map(|byte| byte ^ mask).collect()
}

/// Encrypts and decrypts alike by RC4; `key` is never empty here.
pub(super) fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
    let mut j = 0u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
        state.swap(i, j.into());
    }
    let (mut i, mut j) = (0u8, 0u8);
    data.iter()
        .map(|byte| {
            i = i.wrapping_add(1);
            j = j.wrapping_add(state[usize::from(i)]);
            state.swap(i.into(), j.into());
            byte ^ state[usize::from(state[usize::from(i)].wrapping_add(state[usize::from(j)]))]
        })
        .collect()
}

/// Decrypts initialisation vector, blocks and padding (ISO 32000-1 algorithm 1, RFC 8018). Wrong padding stays, and so
/// does what is no whole block: no two texts are the same decrypted.
fn cbc_decrypt<C>(key: &[u8], data: &[u8]) -> Vec<u8>
where
    C: aes::cipher::BlockCipherDecrypt + KeyInit,
{
    let mut plain = cbc_decrypt_blocks::<C>(key, data);
    let rest = &data[data.len() / 16 * 16..];
    match plain.last() {
        Some(&padding @ 1..=16) if rest.is_empty() && plain.ends_with(&vec![padding; padding.into()]) => {
            plain.truncate(plain.len().saturating_sub(padding.into()));
        }
        _ => plain.extend(rest),
    }
    plain
}

fn cbc_decrypt_blocks<C>(key: &[u8], data: &[u8]) -> Vec<u8>
where
    C: aes::cipher::BlockCipherDecrypt + KeyInit,
{
    let Some((vector, blocks)) = data.split_at_checked(16) else { return Vec::new() };
    let Ok(mut cipher) = cbc::Decryptor::<C>::new_from_slices(key, vector) else { return Vec::new() };
    let mut plain = blocks[..blocks.len() / 16 * 16].to_vec();
    for block in plain.chunks_exact_mut(16) {
        if let Ok(block) = <&mut Block<cbc::Decryptor<C>>>::try_from(block) {
            cipher.decrypt_block(block);
        }
    }
    plain
}

/// Encrypts whole blocks in their place.
pub(super) fn cbc_encrypt_blocks<C>(key: &[u8], vector: &[u8], data: &mut [u8])
where
    C: aes::cipher::BlockCipherEncrypt + KeyInit,
{
    let Ok(mut cipher) = cbc::Encryptor::<C>::new_from_slices(key, vector) else { return };
    for block in data.chunks_exact_mut(16) {
        if let Ok(block) = <&mut Block<cbc::Encryptor<C>>>::try_from(block) {
            cipher.encrypt_block(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rc4_is_rc4() {
        let rows: [(&[u8], &[u8], &[u8]); 2] = [
            (b"Key", b"Plaintext", &[0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3]),
            (b"Wiki", b"pedia", &[0x10, 0x21, 0xBF, 0x04, 0x20]),
        ];
        for (key, plain, expected) in rows {
            assert_eq!(rc4(key, plain), expected);
        }
    }

    #[test]
    fn what_is_decrypted_is_not_the_same() {
        let key = [1; 16];
        let encrypted = |plain: &[u8]| {
            let mut blocks = plain.to_vec();
            cbc_encrypt_blocks::<aes::Aes128>(&key, &[0; 16], &mut blocks);
            [&[0; 16][..], &blocks].concat()
        };
        let decrypted = |data: &[u8]| cbc_decrypt::<aes::Aes128>(&key, data);
        let padded = [&[b'a'; 16][..], &[16; 16]].concat();
        assert_eq!(decrypted(&encrypted(&padded)), [b'a'; 16], "RFC 8018 6.1.1: padding");
        let other = [&[b'a'; 16][..], &[7; 15], &[16]].concat();
        assert_eq!(decrypted(&encrypted(&other)), other, "RFC 8018 6.1.1: none");
        let longer = |last: u8| decrypted(&[&encrypted(&padded)[..], &[last]].concat());
        assert_ne!(longer(1), longer(2), "RFC 8018 6.1.1: no whole block");
    }

    #[test]
    fn crypt_filters_of_streams() {
        let read = |text: &'static [u8]| super::super::lexer::Lexer::new(text, 0, 8).object().expect("an object");
        let text = b"<</CF<</Own<</CFM/None>>/Other<</CFM/V2>>/Strange<</CFM/Mine>>/Apart 3 0 R>>>>";
        let Object::Dictionary(dictionary) = read(text) else { unreachable!("it is one") };
        let resolve = |object: &Object<'static>| match object {
            Object::Reference(_) => read(b"<</CFM/V2>>"),
            direct => direct.clone(),
        };
        let security = Security {
            key: vec![1; 16],
            strings: Method::Identity,
            streams: Method::Aes128,
            filters: crypt_filters(&dictionary, &resolve),
            encrypt_metadata: false,
            access: Access { owner: true, revision: 4, permissions: 0 },
        };
        let id = Reference { number: 7, generation: 0 };
        let data = [7; 40];
        let aes = Some(security.decrypt(Method::Aes128, id, &data));
        for (clause, situation, kind, filter, expected) in [
            ("7.6.5", "the filter of all streams", None, None, aes.clone()),
            ("7.4.10", "no filter", None, Some(&b"Identity"[..]), None),
            ("7.6.5", "one of its own, which does nothing", None, Some(b"Own"), None),
            ("7.6.5", "another one", None, Some(b"Other"), Some(security.decrypt(Method::Rc4, id, &data))),
            (
                "7.3.10",
                "one that is another object",
                None,
                Some(b"Apart"),
                Some(security.decrypt(Method::Rc4, id, &data)),
            ),
            ("7.6.5", "one that nobody knows", None, Some(b"Strange"), aes),
            ("7.5.8.2", "cross-references", Some(&b"XRef"[..]), None, None),
            ("7.6.5", "metadata that are not encrypted", Some(b"Metadata"), None, None),
        ] {
            assert_eq!(security.stream(id, kind, filter, &data), expected, "{clause}: {situation}");
        }
    }

    #[test]
    fn passwords_are_padded() {
        assert_eq!(pad(b""), PADDING, "7.6.3.3: the empty password is the padding");
        assert_eq!(pad(b"ab")[..4], [b'a', b'b', 0x28, 0xBF], "7.6.3.3: padded to 32 bytes");
        assert_eq!(pad(&[7; 40]), [7; 32], "7.6.3.3: cut to 32 bytes");
    }
}

//! Private keys at rest: sealed files and PKCS#11 tokens.

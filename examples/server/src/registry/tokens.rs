//! Tokens, as `lacre-server token` handles them: a store is enough.

use crate::audit::{Action, Event};
use crate::rng;
use crate::storage::{Person, StorageError, Store, TokenId, TokenRecord};
use crate::token::Token;
use lacre::Time;

/// Issues a token; what is returned is shown once, and never again.
pub async fn issue(store: &dyn Store, person: Person, expires: Option<Time>, now: Time) -> Result<Token, StorageError> {
    let token = Token::generate(&mut rng::system());
    let event = Event::new(now, Action::TokenIssued).user(&person.user).token(token.id());
    let sha256 = token.sha256();
    let record = TokenRecord { id: token.id(), sha256, person, issued: now, expires, revoked: None };
    store.add_token(record, event).await?;
    Ok(token)
}

/// Revokes a token; whether there was one that was not revoked yet.
pub async fn revoke(store: &dyn Store, id: TokenId, now: Time) -> Result<bool, StorageError> {
    store.revoke_token(id, now, Event::new(now, Action::TokenRevoked).token(id)).await
}

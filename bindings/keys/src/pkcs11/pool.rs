//! Sessions with a token: opened as they are needed, used again, replaced when the token forgot them.

use super::{Pin, TokenError, TokenLocation};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11 as Module};
use cryptoki::error::{Error, RvError};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most sessions at once: more do not make a token faster, and tokens of small makers have few.
const MOST: usize = 16;

/// Sessions with a token.
pub struct Pool {
    sessions: Mutex<Sessions>,
    returned: Condvar,
    pin: Pin,
    location: TokenLocation,
    slot: Slot,
    // Last, so that it is dropped after its sessions.
    module: Module,
}

#[derive(Default)]
struct Sessions {
    idle: Vec<Session>,
    /// How many there are, idle or not.
    open: usize,
}

impl Pool {
    pub fn open(location: &TokenLocation, pin: Pin) -> Result<Self, TokenError> {
        let failed = |e: Error| failed(location, &e);
        let module = Module::new(&location.module).map_err(failed)?;
        match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
            // Another part of the process was first.
            Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
            Err(error) => return Err(failed(error)),
        }
        let mut found = Vec::new();
        for slot in module.get_slots_with_token().map_err(failed)? {
            // A slot whose token went away meanwhile is none that is looked for.
            if module.get_token_info(slot).is_ok_and(|info| info.label() == location.token) {
                found.push(slot);
            }
        }
        let [slot] = found.as_slice() else {
            let (module, label) = (location.module.display().to_string(), location.token.clone());
            return Err(TokenError::Token { module, label, found: found.len() });
        };
        let (slot, location, returned) = (*slot, location.clone(), Condvar::new());
        let pool = Self { sessions: Mutex::default(), returned, pin, location, slot, module };
        // A wrong PIN is told now, not at the first signature.
        pool.with(|_| Ok(()))?;
        Ok(pool)
    }

    pub fn location(&self) -> &TokenLocation {
        &self.location
    }

    /// Does something in a session. Where the token forgot the session or its user, once more in a new one.
    pub fn with<T>(&self, work: impl Fn(&Session) -> Result<T, Error>) -> Result<T, TokenError> {
        let mut place = Place { pool: self, session: self.take() };
        if let Some(session) = &place.session {
            match work(session) {
                Err(error) if is_forgotten(&error) => place.session = None,
                done => return done.map_err(|e| failed(&self.location, &e)),
            }
        }
        let session = place.session.insert(self.begin().map_err(|e| failed(&self.location, &e))?);
        work(session).map_err(|e| failed(&self.location, &e))
    }

    /// Takes an idle session, or the right to begin one; waits for either.
    fn take(&self) -> Option<Session> {
        let mut sessions = self.lock();
        loop {
            if let Some(session) = sessions.idle.pop() {
                return Some(session);
            }
            if sessions.open < MOST {
                sessions.open += 1;
                return None;
            }
            sessions = self.returned.wait(sessions).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Begins a session, and logs in for every session of the process (PKCS#11 §5.6).
    fn begin(&self) -> Result<Session, Error> {
        let session = self.module.open_rw_session(self.slot)?;
        match session.login(UserType::User, Some(self.pin.secret())) {
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => Ok(session),
            Err(error) => Err(error),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a session in the pool, given back however its use ends.
struct Place<'a> {
    pool: &'a Pool,
    session: Option<Session>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut sessions = self.pool.lock();
        match self.session.take() {
            Some(session) => sessions.idle.push(session),
            None => sessions.open -= 1,
        }
        drop(sessions);
        self.pool.returned.notify_one();
    }
}

/// Returns whether the token forgot the session: it was reset, removed and put back, or logged out by somebody else; or
/// an operation was left half-way.
fn is_forgotten(error: &Error) -> bool {
    use RvError::*;
    matches!(
        error,
        Error::Pkcs11(
            SessionClosed | SessionHandleInvalid | UserNotLoggedIn | DeviceRemoved | TokenNotPresent | OperationActive,
            _
        )
    )
}

/// Makes an error of what the token answered, by its name, without the explanation that cryptoki quotes.
pub fn failed(location: &TokenLocation, error: &Error) -> TokenError {
    let reason = match error {
        Error::Pkcs11(value, function) => format!("{function:?} answered {value:?}"),
        other => other.to_string(),
    };
    TokenError::Failed { token: location.to_string(), reason }
}

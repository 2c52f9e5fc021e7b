//! What the tests of the command share.

use std::process::Command;

/// Variables that change what the command does.
const VARIABLES: [&str; 15] = [
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LACRE_CACHE",
    "LACRE_CSC_LOGIN",
    "LACRE_CSC_LOGIN_FILE",
    "LACRE_CSC_TOKEN",
    "LACRE_CSC_TOKEN_FILE",
    "LACRE_MASTER_KEY",
    "LACRE_MASTER_KEY_FILE",
    "LACRE_PKCS11_PIN",
    "LACRE_PKCS11_PIN_FILE",
    "LACRE_TRUSTED_LISTS",
    "LOCALAPPDATA",
    "NO_COLOR",
];

/// The command, whatever the settings and the home of the tester are.
pub fn lacre() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lacre"));
    without_settings(&mut command);
    command
}

/// Takes the settings of the tester from a command.
pub fn without_settings(command: &mut Command) {
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/no-data-home"));
}

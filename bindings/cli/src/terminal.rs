//! What people see: messages on stderr, each on a line of its own, and reports on a terminal, with colour and wrapped.
//!
//! Names of files and what is in them do nothing to the terminal. What goes to a file or a pipe is not touched.

use clap::builder::styling::{AnsiColor, Style};
use lacre::report::escape_control_chars;
use std::borrow::Cow;
use std::io::{self, IsTerminal as _};
use unicode_width::UnicodeWidthStr as _;
use zeroize::Zeroizing;

/// Below this width lines are left as they are.
const NARROWEST: usize = 20;

/// Prints what kept the command from its job.
pub fn print_error(message: &str) {
    print_message("error", AnsiColor::Red, message);
}

/// Prints advice about the error before it.
pub fn print_hint(message: &str) {
    print_message("hint", AnsiColor::Cyan, message);
}

/// Prints something that the user may want to know, and that kept the command from nothing.
pub fn print_note(message: &str) {
    print_message("note", AnsiColor::Yellow, message);
}

fn print_message(kind: &str, colour: AnsiColor, message: &str) {
    let style = colour.on_default().bold();
    anstream::eprintln!("lacre: {style}{kind}:{style:#} {}", escape_control_chars(message));
}

/// Asks for a secret, whose characters are not shown; `None` where nobody is at a terminal.
pub fn ask_secret(what: &str) -> io::Result<Option<Zeroizing<String>>> {
    let terminal = console::Term::stderr();
    if !terminal.is_term() || !io::stdin().is_terminal() {
        return Ok(None);
    }
    terminal.write_str(&format!("{}: ", escape_control_chars(what)))?;
    terminal.read_secure_line().map(|line| Some(Zeroizing::new(line)))
}

/// How texts for people are shown on standard output.
#[derive(Debug, Clone, Copy, Default)]
pub struct Display {
    colour: bool,
    width: Option<usize>,
}

impl Display {
    /// Returns that of standard output. Colour: a terminal, unless `NO_COLOR` is set, or wherever `CLICOLOR_FORCE` is.
    /// Width: `COLUMNS`, else that of the terminal.
    pub fn of_stdout() -> Self {
        let stdout = io::stdout();
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        Self {
            colour: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            width: stdout.is_terminal().then(|| columns().or_else(terminal)).flatten(),
        }
    }

    /// Returns the text as it is shown.
    pub fn show<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let width = self.width.filter(|width| *width >= NARROWEST);
        if !self.colour && width.is_none() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len() + text.len() / 8);
        for line in text.split_inclusive('\n') {
            let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
            let style = if self.colour { style_of(content) } else { Style::new() };
            let wrapped = width.map_or(Cow::Borrowed(content), |width| wrap(content, width));
            shown.push_str(&format!("{style}{wrapped}{style:#}{end}"));
        }
        Cow::Owned(shown)
    }
}

/// Returns the style of a line, by the sign or the word of a verdict at its start. Colour repeats what stands there
/// already.
fn style_of(line: &str) -> Style {
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    if begins(&["✔ ", "TOTAL-PASSED ", "PASSED "]) {
        AnsiColor::Green.on_default().bold()
    } else if begins(&["✘ ", "TOTAL-FAILED ", "FAILED ", "ERROR "]) {
        AnsiColor::Red.on_default().bold()
    } else if begins(&["? ", "INDETERMINATE "]) {
        AnsiColor::Yellow.on_default().bold()
    } else if begins(&["==> "]) {
        Style::new().bold()
    } else {
        Style::new()
    }
}

/// Returns the line in pieces that fit, broken at blanks only: what is copied from it stays whole.
fn wrap(line: &str, width: usize) -> Cow<'_, str> {
    if line.width() <= width {
        return Cow::Borrowed(line);
    }
    let indent = hanging_indent(line).min(width / 2);
    let mut wrapped = String::with_capacity(line.len() + line.len() / 8);
    let mut column = 0;
    let mut is_empty = true;
    // A word with the blanks before it.
    let mut rest = line;
    while !rest.is_empty() {
        let start = rest.len() - rest.trim_start_matches(' ').len();
        let end = rest[start..].find(' ').map_or(rest.len(), |end| start + end);
        let (blanks, word) = (&rest[..start], &rest[start..end]);
        if !is_empty && !word.is_empty() && column + blanks.len() + word.width() > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else {
            wrapped.push_str(blanks);
            column += blanks.len();
        }
        wrapped.push_str(word);
        column += word.width();
        is_empty &= word.is_empty();
        rest = &rest[end..];
    }
    Cow::Owned(wrapped)
}

/// Returns where the pieces after the first begin: under the value of a row, else two columns to the right of the line.
fn hanging_indent(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    match text.find("  ") {
        Some(gap) if indent > 0 => {
            let blanks = text[gap..].len() - text[gap..].trim_start_matches(' ').len();
            indent + text[..gap].width() + blanks
        }
        // A row without a label: its value begins where those above it do.
        _ if indent > 4 => indent,
        _ => indent + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_given_the_very_text() {
        let text = "✔ TOTAL-PASSED\n  a line that is longer than twenty columns\n";
        assert!(matches!(Display::default().show(text), Cow::Borrowed(shown) if shown == text));
        let narrow = Display { colour: false, width: Some(NARROWEST - 1) };
        assert_eq!(narrow.show(text), text, "nothing is readable in so few columns");
    }

    #[test]
    fn colour_repeats_what_a_line_says() {
        let display = Display { colour: true, width: None };
        for (line, code) in [
            ("✔ TOTAL-PASSED  a.pdf", "\u{1b}[32m"),
            ("✘ TOTAL-FAILED  a.pdf", "\u{1b}[31m"),
            ("? INDETERMINATE  a.pdf", "\u{1b}[33m"),
            ("TOTAL-FAILED        a.pdf", "\u{1b}[31m"),
            ("ERROR               a.pdf", "\u{1b}[31m"),
        ] {
            let shown = display.show(line).into_owned();
            assert!(shown.contains(code), "{shown:?}");
            assert_eq!(anstream::adapter::strip_str(&shown).to_string(), line);
        }
        let plain = "    signer  CN=A\n– NO_SIGNATURE_FOUND\n\n";
        assert_eq!(display.show(plain), plain);
    }

    #[test]
    fn lines_are_broken_at_blanks_and_lose_nothing() {
        let display = Display { colour: false, width: Some(24) };
        for (situation, line, expected) in [
            ("short", "  one two", "  one two"),
            ("a sentence", "  one two three four five six", "  one two three four\n    five six"),
            ("a row", "    label  one two three four", "    label  one two three\n           four"),
            ("a row without label", "           one two three four", "           one two three\n           four"),
            ("a long label", "    a very long label  value here", "    a very long label\n            value here"),
            ("a digest", "  0123456789abcdef0123456789abcdef", "  0123456789abcdef0123456789abcdef"),
            ("wide characters", "  署名者の氏名 署名者の氏名", "  署名者の氏名\n    署名者の氏名"),
        ] {
            let shown = display.show(line);
            assert_eq!(shown, expected, "{situation}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&shown), words(line), "{situation}");
        }
    }
}

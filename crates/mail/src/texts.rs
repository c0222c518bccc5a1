//! The texts of an email, and how values from people get into them.

use minijinja::value::Value;

/// The text of an email outside its templates.
pub(crate) struct Texts {
    pub(crate) subject: String,
    /// The preview line that inboxes show beside the subject; also the first sentence of most emails.
    pub(crate) lead: String,
    /// Values for this template only.
    pub(crate) values: Value,
}

/// Returns a subject on one line, short enough for every server.
pub(crate) fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if is_control_or_bidi(c) { ' ' } else { c }).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect()
}

/// Prepares a name chosen by a person for the body of an email: one line that mail clients do not turn into a
/// link. Otherwise our emails could be used to carry advertisements.
pub(crate) fn sanitized(name: &str) -> String {
    let line = one_line(name);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        if matches!(c, '.' | ':' | '@') && rest.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push('\u{2060}');
        }
    }
    out
}

/// Returns one [`sanitized`] line of at most `max` characters, shortened with an ellipsis.
pub(crate) fn short(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = line.chars().take(max).collect();
    if cut.len() < line.len() {
        cut = format!("{}…", cut.trim_end());
    }
    sanitized(&cut)
}

/// Returns whether `c` is a control character, a line break or a mark that changes the reading direction.
fn is_control_or_bidi(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

//! What planes say of a position that its rules do not.

use crate::error::PlayError;
use crate::geometry::Action;
use crate::setup::SetupError;

/// The empty points that an invalid plane forbids, though the one that a game computes does not.
///
/// # Errors
/// [`SetupError`] if the plane allows what a rule forbids, as `check` says, or if there are more than `allowed`
/// such points.
pub(super) fn unexplained(
    invalid: &[bool],
    computed: &[u8],
    allowed: usize,
    check: impl Fn(Action) -> Result<(), PlayError>,
) -> Result<Vec<u16>, SetupError> {
    let mut forbidden = Vec::new();
    for (point, (&claimed, &rule)) in invalid.iter().zip(computed).enumerate() {
        if rule == 1 && !claimed {
            let why = check(Action::new(point)).map_or_else(PlayError::reason, |()| "illegal");
            return Err(SetupError::new(format!(
                "the invalid plane is 0 at point {point}, where a play is illegal ({why})"
            )));
        }
        if claimed && rule == 0 {
            forbidden.push(point as u16);
        }
    }
    let found = forbidden.len();
    if found > allowed {
        return Err(SetupError::new(format!(
            "the invalid plane forbids {found} empty points that no rule explains (points \
             {:?}); at most {allowed} can be",
            &forbidden[..found.min(5)]
        )));
    }
    Ok(forbidden)
}

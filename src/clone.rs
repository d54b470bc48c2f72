//! Copies of games into the memory of other games: batches and searches make one at every step.

/// Implements `Clone` for a type with these fields; `clone_from` copies each into the memory it has.
/// A batch that took new memory at each reset would soon have the games of different threads side by
/// side.
macro_rules! clone_by_field {
    ($Type:ident $(<$W:ident>)? { $($field:ident),* }) => {
        impl $(<const $W: usize>)? Clone for $Type $(<$W>)? {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),* }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}

pub(crate) use clone_by_field;

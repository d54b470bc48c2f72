//! Room for the course of a game that starts again and again.

/// Gives a list room for so many entries, or for those it has if they are more.
///
/// A longer course than usual leaves no room behind: among thousands of games, all would come to it
/// one day. And room that is new is written to at once: memory that is there from the first restart
/// on does not come little by little, whenever some game is the longest so far in its place.
pub(crate) fn fit<T: Copy>(list: &mut Vec<T>, room: usize, filler: T) {
    if list.capacity() < room {
        let len = list.len();
        list.reserve_exact(room - len);
        list.resize(room, filler);
        list.truncate(len);
    } else if list.capacity() > room.max(list.len()) {
        let mut fitting = Vec::with_capacity(room.max(list.len()));
        fitting.extend_from_slice(list);
        *list = fitting;
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn entries_stay_and_room_is_as_asked() {
        for (len, room) in [(0, 0), (0, 8), (3, 8), (8, 8), (9, 8), (1000, 8), (3, 1000)] {
            let mut list: Vec<usize> = (0..len).collect();
            fit(&mut list, room, usize::MAX);
            assert!(list.iter().copied().eq(0..len));
            assert_eq!(list.capacity(), room.max(len));
            list.clear();
            fit(&mut list, room, usize::MAX);
            assert!(list.is_empty());
            assert_eq!(list.capacity(), room);
        }
    }
}

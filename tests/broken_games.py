"""Games that break one law each, named by the law: what `check_game` must find."""

# ruff: noqa: N801, ARG002, ARG003

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sixplane import IllegalActionError
from wrapped_go import WrappedGo

if TYPE_CHECKING:
    from numpy.typing import NDArray


def with_plane(planes: NDArray[np.uint8], index: int, cells: Any) -> Any:
    """The planes with one of them replaced."""
    planes[index] = cells
    return planes


class planes_are_zeros_and_ones(WrappedGo):
    @property
    def planes(self) -> Any:
        return self.go.planes.astype(np.int16)


class planes_are_zeros_and_ones_2(WrappedGo):
    @property
    def planes(self) -> Any:
        planes = self.go.planes
        planes[2, 0, 0] ^= 1
        return planes


class the_turn_plane_is_the_turn(WrappedGo):
    @property
    def planes(self) -> Any:
        return with_plane(self.go.planes, 2, 1 - self.go.turn)


class the_pass_plane_is_one_after_a_pass_only(WrappedGo):
    @property
    def planes(self) -> Any:
        return with_plane(self.go.planes, 4, 0)


class occupied_points_are_invalid(WrappedGo):
    @property
    def planes(self) -> Any:
        planes = self.go.planes
        return with_plane(planes, 3, planes[3] & ~planes[0])


class the_invalid_plane_is_the_complement_of_the_mask(WrappedGo):
    @property
    def legal_actions(self) -> Any:
        return self.go.legal_actions[::-1].copy()


class the_invalid_plane_is_the_complement_of_the_mask_2(WrappedGo):
    @property
    def planes(self) -> Any:
        # All but the points that only ko or suicide forbid.
        planes = self.go.planes
        return planes if self.go.is_over else with_plane(planes, 3, planes[0] | planes[1])


class a_finished_game_is_shut_and_a_running_one_open(WrappedGo):
    @property
    def outcome(self) -> Any:
        return None if self.go.actions[-2:].tolist() == [9, 9] else self.go.outcome


class a_finished_game_is_shut_and_a_running_one_open_2(WrappedGo):
    @property
    def planes(self) -> Any:
        planes = self.go.planes
        return with_plane(planes, 5, 0) if self.go.actions[-2:].tolist() == [9, 9] else planes


class arrays_are_fresh_and_writable(WrappedGo):
    kept: Any = None

    @property
    def planes(self) -> Any:
        planes = self.go.planes
        if self.kept is None or not np.array_equal(self.kept, planes):
            self.kept = planes
        return self.kept


class arrays_are_fresh_and_writable_2(WrappedGo):
    @property
    def action_mask(self) -> Any:
        mask = self.go.action_mask
        mask.flags.writeable = False
        return mask


class history_planes_are_the_boards_of_the_last_actions(WrappedGo):
    def history_planes(self, k: Any) -> Any:
        planes = self.go.history_planes(k)
        planes[2:-1] = 0
        return planes


class the_mask_agrees_with_play(WrappedGo):
    def play(self, action: Any) -> None:
        if self.go.move_number == 3 and action == 9:
            raise IllegalActionError("pass_not_allowed")
        self.go.play(action)


class an_illegal_play_changes_nothing(WrappedGo):
    def play(self, action: Any) -> None:
        try:
            self.go.play(action)
        except IllegalActionError as error:
            if error.reason == "occupied":
                self.go.undo()
            raise


class the_reason_is_the_first_that_holds(WrappedGo):
    def play(self, action: Any) -> None:
        try:
            self.go.play(action)
        except IllegalActionError as error:
            raise IllegalActionError(error.reason.replace("game_over", "occupied")) from error


class the_reason_is_the_first_that_holds_2(WrappedGo):
    def play(self, action: Any) -> None:
        try:
            self.go.play(action)
        except IllegalActionError as error:
            raise IllegalActionError(error.reason.replace("suicide", "no liberty")) from error


class every_integer_is_an_action_and_nothing_else_is(WrappedGo):
    def play(self, action: Any) -> None:
        self.go.play(int(action) if isinstance(action, bool) else action)


class every_integer_is_an_action_and_nothing_else_is_2(WrappedGo):
    def play(self, action: Any) -> None:
        if isinstance(action, np.uint16):
            raise TypeError("no uint16")
        self.go.play(action)


class the_turn_flips_after_every_action(WrappedGo):
    steps: tuple[int, ...] = ()  # how many steps of Go each step is

    def play(self, action: Any) -> None:
        turn = self.go.turn
        self.go.play(action)
        again = self.go.last_action == 4 and not self.go.is_over
        if again:
            self.go.set_turn("white" if turn else "black")
        self.steps = (*self.steps, 1 + again)

    def set_turn(self, color: Any) -> None:
        self.go.set_turn(color)
        self.steps = (*self.steps, 1)

    def resign(self, color: Any = None) -> None:
        self.go.resign(color)
        self.steps = (*self.steps, 1)

    def undo(self) -> None:
        for _ in range(self.steps[-1] if self.steps else 1):
            self.go.undo()
        self.steps = self.steps[:-1]

    def replay(self, actions: Any) -> Self:
        game = super().replay([])
        for action in actions:
            game.play(action)
        return game


class the_actions_are_what_was_played(WrappedGo):
    @property
    def last_action(self) -> Any:
        return None if self.go.last_action == 9 else self.go.last_action


class undo_is_the_inverse_of_play(WrappedGo):
    def undo(self) -> None:
        self.go.undo()
        if self.go.move_number > 2:
            self.go.set_turn("white" if self.go.turn else "black")


class every_step_can_be_taken_back_and_taken_again(WrappedGo):
    undone = 0

    def play(self, action: Any) -> None:
        self.go.play(action)
        self.undone = 0

    def undo(self) -> None:
        self.undone += 1
        if self.undone > 6:
            raise ValueError("no more")
        self.go.undo()


class set_turn_is_one_step_and_no_action(WrappedGo):
    def set_turn(self, color: Any) -> None:
        if color not in (self.go.turn, ("black", "white")[self.go.turn]):
            self.go.set_turn(color)


class a_resignation_ends_the_game_and_is_no_action(WrappedGo):
    def resign(self, color: Any = None) -> None:
        self.go.resign()


class the_outcome_is_the_sign_of_the_score(WrappedGo):
    def score(self) -> float:
        score = self.go.score()
        return -score if self.go.actions[-2:].tolist() == [9, 9] else score


class max_moves_cuts_the_game_off(WrappedGo):
    @classmethod
    def from_planes(cls, planes: NDArray[np.uint8], **rules: Any) -> Self:
        if "max_moves" in rules:
            rules["max_moves"] += 1
        return super().from_planes(planes, **rules)


class copies_are_games_of_their_own(WrappedGo):
    def __copy__(self) -> Self:
        return type(self)(self.go)


class copies_are_games_of_their_own_2(WrappedGo):
    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return type(self).from_planes(self.go.planes)


class pickles_are_games_of_their_own(WrappedGo):
    def __reduce__(self) -> Any:
        return type(self).from_planes, (self.go.planes,)


class hash_agrees_with_equality(WrappedGo):
    def __hash__(self) -> int:
        return id(self)


class different_histories_are_different_games(WrappedGo):
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WrappedGo):
            return False
        over = self.go.is_over and other.go.is_over
        return self.go == other.go or (over and self.go.actions.tolist() == other.go.actions.tolist())

    __hash__ = WrappedGo.__hash__


class the_hash_is_of_the_position_alone(WrappedGo):
    @property
    def hash(self) -> int:
        return self.go.hash ^ (self.go.last_action or 0)


class the_hash_is_of_the_position_alone_2(WrappedGo):
    @property
    def hash(self) -> int:
        return self.go.hash >> 60


class replaying_the_actions_gives_the_game(WrappedGo):
    def replay(self, actions: Any) -> Self:
        game = super().replay([])
        for action in actions:
            try:
                game.play(action)
            except IllegalActionError:
                continue
        return game


class names_and_actions_are_inverse(WrappedGo):
    def name_to_action(self, text: str) -> int:
        try:
            return self.go.name_to_action(text)
        except ValueError:
            return 0


class from_planes_gives_the_planes(WrappedGo):
    @classmethod
    def from_planes(cls, planes: NDArray[np.uint8], **rules: Any) -> Self:
        return super().from_planes(with_plane(planes.copy(), 4, 0), **rules)


class impossible_planes_are_refused(WrappedGo):
    @classmethod
    def from_planes(cls, planes: NDArray[np.uint8], **rules: Any) -> Self:
        return super().from_planes(with_plane(planes.copy(), 2, planes[2, 1, 1]), **rules)


class from_stones_and_from_text_give_the_board(WrappedGo):
    @classmethod
    def from_text(cls, text: str, turn: Any = None, **rules: Any) -> Self:
        return super().from_text(text, "black", **rules)


class a_record_gives_the_game_back(WrappedGo):
    def to_sgf(self) -> str:
        return self.go.replay(self.go.actions).to_sgf()


class RaisingGo(WrappedGo):
    """A game with a fault that is no refusal."""

    @property
    def turn(self) -> Any:
        if self.go.move_number == 2:
            raise KeyError("lost")
        return self.go.turn

"""PPO with self-play in one file: a policy learns a game without search, from games against itself.

All games are stepped at once by the native vector environment. Both players of a game are the learner, so
each position is one to learn from; in a quarter of the games one player is a frozen copy of an earlier
policy, so that what has been beaten stays beaten. A policy that plays itself soon plays one game again and
again, so games begin with a few random actions, and the bonus for entropy is ten times as large as usual.

    pip install 'sixplane[gym]' torch
    python examples/ppo_selfplay.py --minutes 10
    python examples/ppo_selfplay.py --game go --size 7 --minutes 20
"""

import argparse
import copy
import time

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import sixplane
from sixplane.games import GAMES
from sixplane.match import ArenaResult

#: Not minus infinity: a position without a legal action would give NaN.
ILLEGAL = -1e9


class Policy(nn.Module):
    """Planes `(n, 6, rows, cols)` from the view of the player to play -> logits `(n, A)`, values `(n,)`."""

    def __init__(self, shape: tuple[int, ...], actions: int, channels: int, layers: int) -> None:
        super().__init__()
        planes, rows, cols = shape
        body: list[nn.Module] = []
        for i in range(layers):
            body += [nn.Conv2d(planes if i == 0 else channels, channels, 3, padding=1), nn.ReLU()]
        self.body = nn.Sequential(*body)
        self.policy = nn.Sequential(
            nn.Conv2d(channels, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * rows * cols, actions)
        )
        neck = [nn.Conv2d(channels, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * rows * cols, 64), nn.ReLU()]
        self.value = nn.Sequential(*neck, nn.Linear(64, 1))

    def forward(self, planes: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected reward of the player to play."""
        features = self.body(planes)
        logits = self.policy(features).masked_fill(~masks, ILLEGAL)
        return Categorical(logits=logits, validate_args=False), torch.tanh(self.value(features)).squeeze(1)


class Pool:
    """Frozen copies of the policy, one of which plays a color in each of the first games."""

    def __init__(self, games: int, most: int, rng: np.random.Generator) -> None:
        self.policies: list[Policy] = []
        self.most, self.rng = most, rng
        self.seats = rng.integers(0, 2, games)

    def add(self, policy: Policy) -> None:
        """Freezes a policy; when there are too many, one goes: the first stays if there are two or more."""
        self.policies.append(copy.deepcopy(policy).eval())
        if len(self.policies) > self.most:
            del self.policies[int(self.rng.integers(1, len(self.policies) - 1)) if self.most > 1 else 0]

    def play(
        self, planes: torch.Tensor, masks: torch.Tensor, turns: np.ndarray, actions: torch.Tensor
    ) -> np.ndarray:
        """Puts the copies' actions in the place of the learner's; returns where, as booleans of all games."""
        theirs = np.zeros(len(actions), np.bool_)
        theirs[: len(self.seats)] = turns[: len(self.seats)] == self.seats
        numbers = np.arange(len(actions)) % max(1, len(self.policies))
        for number, policy in enumerate(self.policies):
            rows = torch.from_numpy(np.flatnonzero(theirs & (numbers == number)))
            if len(rows):
                actions[rows] = policy(planes[rows], masks[rows])[0].sample()
        return theirs

    def begin(self, ended: np.ndarray) -> None:
        """Draws the colors of new games."""
        new = np.flatnonzero(ended[: len(self.seats)])
        self.seats[new] = self.rng.integers(0, 2, len(new))


class Openings:
    """Random actions at the start of each game, from none to so many; nobody learns from them."""

    def __init__(self, games: int, most: int, rng: np.random.Generator) -> None:
        self.most, self.rng = most, rng
        self.lengths = rng.integers(0, most + 1, games)

    def play(self, seen: dict[str, np.ndarray], actions: torch.Tensor) -> np.ndarray:
        """Puts random actions in the place of others; returns where, as booleans of all games."""
        random = seen["move_number"] < self.lengths
        legal = sixplane.sample_legal(seen["action_mask"][random], self.rng)
        actions[torch.from_numpy(random)] = torch.from_numpy(legal)
        return random

    def begin(self, ended: np.ndarray) -> None:
        """Draws the lengths for new games."""
        self.lengths[ended] = self.rng.integers(0, self.most + 1, ended.sum())


def advantages(
    rewards: torch.Tensor, values: torch.Tensor, dones: torch.Tensor, decay: float
) -> torch.Tensor:
    """Generalized advantage estimation (Schulman and others, 2016) of two players who take turns.

    What comes after an action is the other player's, so it changes its sign. `values` has one row more.
    """
    result = torch.zeros_like(rewards)
    carried = torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        goes_on = (~dones[t]).float()
        carried = rewards[t] - goes_on * (values[t + 1] + decay * carried) - values[t]
        result[t] = carried
    return result


def update(
    policy: Policy, optimizer: torch.optim.Optimizer, data: list[torch.Tensor], options: argparse.Namespace
) -> float:
    """PPO's clipped objective over all positions a few times; returns the entropy of the policy."""
    planes, masks, actions, logs, gains, returns = data
    gains = (gains - gains.mean()) / (gains.std(correction=0) + 1e-8)
    entropy = torch.zeros(())
    for _ in range(options.epochs if len(planes) else 0):
        for part in torch.randperm(len(planes)).split(options.batch):
            distribution, value = policy(planes[part], masks[part])
            ratio = (distribution.log_prob(actions[part]) - logs[part]).exp()
            gain = gains[part]
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            entropy = distribution.entropy().mean()
            loss = -torch.min(ratio * gain, clipped * gain).mean()
            loss = loss + 0.5 * (value - returns[part]).square().mean() - options.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
    return entropy.item()


def collect(  # noqa: PLR0917 - all that a step needs
    envs: gymnasium.vector.VectorEnv,
    policy: Policy,
    pool: Pool,
    openings: Openings,
    observed: np.ndarray,
    seen: dict[str, np.ndarray],
    options: argparse.Namespace,
) -> tuple[list[torch.Tensor], np.ndarray, dict[str, np.ndarray]]:
    """Plays some steps in all games: what to learn from, and where the games stand then."""
    rows, rewards, dones, values = [], [], [], []
    for _ in range(options.steps):
        planes, masks = torch.from_numpy(observed), torch.from_numpy(seen["action_mask"]).bool()
        with torch.no_grad():
            distribution, value = policy(planes, masks)
            actions = distribution.sample()
            theirs = pool.play(planes, masks, seen["turn"], actions) | openings.play(seen, actions)
        rows.append([planes, masks, actions, distribution.log_prob(actions), torch.from_numpy(~theirs)])
        observed, reward, terminated, truncated, seen = envs.step(actions.numpy())
        ended = terminated | truncated
        pool.begin(ended)
        openings.begin(ended)
        rewards.append(torch.from_numpy(reward).float())
        dones.append(torch.from_numpy(ended))
        values.append(value)
    with torch.no_grad():
        masks = torch.from_numpy(seen["action_mask"]).bool()
        values.append(policy(torch.from_numpy(observed), masks)[1])
    gains = advantages(torch.stack(rewards), torch.stack(values), torch.stack(dones), options.decay)
    returns = gains + torch.stack(values[:-1])
    *given, learned = (torch.stack(column).flatten(0, 1) for column in zip(*rows, strict=True))
    return [column[learned] for column in (*given, gains.flatten(), returns.flatten())], observed, seen


def judge(policy: Policy, game: sixplane.Game, opponent: str, games: int) -> ArenaResult:
    """Games of the policy's best action against an opponent."""

    def choose(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return policy(torch.from_numpy(planes), torch.from_numpy(masks))[0].logits.argmax(1).numpy()

    return sixplane.evaluate(choose, opponent, game, games=games, opening_moves=2, seed=1)


def read_options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, help="6, but 3 for tic-tac-toe and 6x7 for Connect Four")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=32, help="of each game between two updates")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.1)
    parser.add_argument("--decay", type=float, default=0.9, help="GAE's lambda")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--pool", type=int, default=8, help="earlier policies that are kept")
    parser.add_argument("--opening", type=int, default=12, help="random actions of a game at most")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="against each opponent, at the end")
    return parser.parse_args()


def main() -> None:
    """Learns for so many minutes."""
    options = read_options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    info, rng = GAMES[options.game], np.random.default_rng(options.seed)
    board = info.game_class(size=options.size or {"tictactoe": 3, "connect4": (6, 7)}.get(options.game, 6))
    rules = {"size": (board.rows, board.cols), "max_moves": 2 * board.rows * board.cols}
    shown = {"view": "player", "dtype": "float32"}
    envs = gymnasium.make_vec(info.env_id, options.envs, autoreset_mode="same_step", **shown, **rules)
    game = info.game_class(**rules)
    policy = Policy(envs.single_observation_space.shape, game.num_actions, options.channels, options.layers)
    optimizer = torch.optim.Adam(policy.parameters(), lr=options.learning_rate)
    pool = Pool(options.envs // 4 if options.pool else 0, options.pool, rng)
    pool.add(policy)
    openings = Openings(options.envs, options.opening, rng)
    observed, seen = envs.reset(seed=options.seed)
    begun, updates, positions = time.monotonic(), 0, 0
    while (part := (time.monotonic() - begun) / 60 / options.minutes) < 1:
        optimizer.param_groups[0]["lr"] = options.learning_rate * (1 - part)
        data, observed, seen = collect(envs, policy, pool, openings, observed, seen, options)
        entropy = update(policy, optimizer, data, options)
        updates, positions = updates + 1, positions + len(data[0])
        if updates % 10 == 0:
            pool.add(policy)
        if updates % 20 == 0:
            speed = positions / (time.monotonic() - begun)
            line = f"{part * options.minutes:.1f} min: {positions} positions ({speed:.0f}/s)"
            score = judge(policy, game, "random", 200).score
            print(f"{line}, entropy {entropy:.2f}, {score:.1%} against random", flush=True)
    print(f"{positions} positions in {(time.monotonic() - begun) / 60:.1f} minutes")
    for opponent in ("random", "score-table" if options.game == "gomoku" else "mcts:simulations=100"):
        print(f"against {opponent}: {judge(policy, game, opponent, options.games)}", flush=True)
    torch.save(policy.state_dict(), f"ppo_{options.game}{game.rows}.pt")


if __name__ == "__main__":
    main()

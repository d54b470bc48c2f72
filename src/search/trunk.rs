//! What all threads of a search share, and what one simulation does with it.

use rand::seq::SliceRandom;

use super::Searchable;
use super::gumbel::Plan;
use super::select::{Counts, Rule};
use super::settings::{Reward, Selection};
use super::tree::{NodeId, ROOT, Tree};
use crate::geometry::Action;
use crate::random::RandomStream;
use crate::status::Outcome;

/// The root position, its tree and the rules of the search.
#[derive(Debug)]
pub(super) struct Trunk<G> {
    pub(super) root: G,
    pub(super) tree: Tree,
    pub(super) rule: Rule,
    pub(super) reward: Reward,
    /// Whether leaves are judged by rollouts, and not by an evaluator.
    pub(super) rolls_out: bool,
    /// Whether several simulations are on their way at once.
    pub(super) is_shared: bool,
    /// What Gumbel selection does at the root.
    pub(super) plan: Plan,
}

/// What one thread walks through the tree with.
#[derive(Debug)]
pub(super) struct Walker<G: Searchable> {
    pub(super) game: G,
    /// What rollouts are played on.
    scratch: G::Scratch,
    /// The nodes below the root that lead to the game's position.
    pub(super) path: Vec<NodeId>,
    pub(super) rng: RandomStream,
    counts: Counts,
    actions: Vec<Action>,
    /// What the game knows of them.
    priors: Vec<f32>,
    /// The actions of the last rollout, where AMAF asks for them.
    played: Vec<Action>,
    /// Which player plays each point first, seen from some node of the path on: an even or odd depth.
    first_by: Vec<u8>,
}

/// [`Walker::first_by`] of a point that nobody plays.
const NOBODY: u8 = 2;

impl<G: Searchable> Walker<G> {
    pub(super) fn new(game: G, seed: u64) -> Self {
        Self {
            game,
            scratch: G::Scratch::default(),
            path: Vec::new(),
            rng: RandomStream::new(seed),
            counts: Counts::default(),
            actions: Vec::new(),
            priors: Vec::new(),
            played: Vec::new(),
            first_by: Vec::new(),
        }
    }
}

impl<G: Searchable> Trunk<G> {
    /// One simulation with a rollout: select and expand, evaluate, back up.
    #[inline]
    pub(super) fn simulate(&self, walker: &mut Walker<G>) {
        self.select(walker);
        let value = self.roll_out(walker);
        self.back_up(&walker.path, value);
        if self.rule.rave.is_some() {
            self.back_up_amaf(walker, value);
        }
    }

    /// Walks from the root to the end of the game, or to a node that has no children yet. A node that
    /// rollouts have visited before gets its children on the way.
    #[inline]
    pub(super) fn select(&self, walker: &mut Walker<G>) -> NodeId {
        walker.game.clone_from(&self.root);
        walker.path.clear();
        let mut id = ROOT;
        loop {
            let (first, children) = self.tree.children(id);
            if children.is_empty() {
                return id;
            }
            let amaf = self.tree.amaf(first, children.len());
            let choice = if self.rule.selection != Selection::Gumbel {
                let Walker { counts, rng, .. } = walker;
                self.rule.choose(self.tree.node(id), children, amaf, counts, rng)
            } else if id == ROOT {
                self.plan.choose(children, self, &mut walker.counts)
            } else {
                self.follow_policy(id, children, &mut walker.counts)
            };
            let child = &children[choice];
            id = first + choice as NodeId;
            if self.is_shared {
                child.enter();
            }
            walker.path.push(id);
            walker.game.play_unchecked(child.action());
            if walker.game.is_over() {
                return id;
            }
            if self.rolls_out && child.visits() > 0 {
                self.grow(id, walker);
            }
        }
    }

    /// Gives a node children, with equal priors or what the game knows of them, unless it has some or another thread is at it.
    #[inline]
    pub(super) fn grow(&self, id: NodeId, walker: &mut Walker<G>) {
        let Walker { game, rng, actions, priors, .. } = walker;
        let node = self.tree.node(id);
        if node.is_expanded() || !node.claim() {
            return;
        }
        let points = game.state().legal();
        let pass = game.may_pass().then(|| game.size().pass());
        actions.clear();
        actions.extend(points.iter().map(Action::new).chain(pass));
        // Their first visits go by this order, and no corner of the board should come before others.
        actions.shuffle(rng);
        let count = actions.len();
        priors.clear();
        priors.resize(count, self.equal_prior(count));
        if self.rule.knows() {
            game.write_heuristic_values(actions, priors);
            let unit = self.reward.unit();
            for prior in priors.iter_mut() {
                *prior *= unit;
            }
        }
        // The first rollout from here judged the position, for the other player.
        let value = -node.sum() as f32 / node.visits().max(1) as f32;
        let children = actions.iter().copied().zip(priors.iter().copied());
        self.tree.expand(id, value, count, children);
    }

    fn equal_prior(&self, count: usize) -> f32 {
        match self.rule.selection {
            Selection::Gumbel => -(count as f32).ln(),
            _ => 1.0 / count as f32,
        }
    }

    /// The worth of the position to the root's player: of its end, or that of a random game from it.
    #[inline]
    fn roll_out(&self, walker: &mut Walker<G>) -> f64 {
        let Walker { game, scratch, rng, played, .. } = walker;
        played.clear();
        if game.is_over() {
            return self.worth(game);
        }
        let wanted = self.rule.rave.map(|_| played);
        let score = game.playout(scratch, rng, wanted);
        self.to_root(self.reward.of(Outcome::of_score(score), score))
    }

    /// The worth of a finished game to the root's player.
    pub(super) fn worth(&self, game: &G) -> f64 {
        let outcome = game.outcome().unwrap_or(Outcome::Draw);
        self.to_root(self.reward.of(outcome, game.score()))
    }

    /// Black's worth as that of the root's player.
    #[inline]
    fn to_root(&self, worth: f64) -> f64 {
        match self.root.turn() {
            crate::Color::Black => worth,
            crate::Color::White => -worth,
        }
    }

    /// Adds a visit to every node of the path. `value` is for the root's player, who plays the actions at
    /// even depths.
    #[inline]
    pub(super) fn back_up(&self, path: &[NodeId], value: f64) {
        let mut value = value;
        for &id in path {
            let node = self.tree.node(id);
            node.add_visit(value);
            if self.is_shared {
                node.leave();
            }
            value = -value;
        }
    }

    /// Takes back that a simulation was on its way.
    pub(super) fn withdraw(&self, path: &[NodeId]) {
        if self.is_shared {
            for &id in path {
                self.tree.node(id).leave();
            }
        }
    }

    /// Adds the value to every action that the same player played first from its node on, in the tree
    /// or the rollout (AMAF).
    fn back_up_amaf(&self, walker: &mut Walker<G>, value: f64) {
        let Walker { path, played, first_by, .. } = walker;
        first_by.clear();
        first_by.resize(self.root.size().num_actions(), NOBODY);
        for (i, action) in played.iter().enumerate().rev() {
            first_by[action.index()] = ((path.len() + i) & 1) as u8;
        }
        // That a pass came later says nothing of passing now.
        let pass = self.root.size().points();
        for depth in (0..path.len()).rev() {
            let player = (depth & 1) as u8;
            first_by[self.tree.node(path[depth]).action().index()] = player;
            let parent = if depth == 0 { ROOT } else { path[depth - 1] };
            let (first, siblings) = self.tree.children(parent);
            let worth = if player == 0 { value } else { -value } as f32;
            for (node, amaf) in siblings.iter().zip(self.tree.amaf(first, siblings.len())) {
                let point = node.action().index();
                if first_by[point] == player && point != pass {
                    amaf.add(worth);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Amaf;
    use super::*;
    use crate::{Game, Gomoku, search::Settings};

    /// A trunk whose root and whose child at point 0 are expanded, and a walker.
    fn trunk() -> (Trunk<Gomoku>, Walker<Gomoku>) {
        let game = Gomoku::new(5).expect("a size");
        let settings = Settings { rave: Some(100.0), ..Settings::default() };
        let trunk = crate::search::Search::new(&game, settings, 1).trunk;
        let mut walker = Walker::new(game, 1);
        trunk.grow(ROOT, &mut walker);
        walker.game.play_unchecked(Action::new(0));
        trunk.grow(child(&trunk, ROOT, 0), &mut walker);
        (trunk, walker)
    }

    fn child(trunk: &Trunk<Gomoku>, parent: NodeId, action: usize) -> NodeId {
        let (first, children) = trunk.tree.children(parent);
        let found = children.iter().position(|node| node.action() == Action::new(action));
        first + found.expect("a legal action") as NodeId
    }

    #[test]
    fn amaf_counts_what_the_same_player_plays_first() {
        let (trunk, mut walker) = trunk();
        let black = child(&trunk, ROOT, 0);
        walker.path = vec![black, child(&trunk, black, 7)];
        // Black, White, and so on: Black plays 3 first, White 4; both play 9, Black first.
        walker.played = [3, 4, 9, 9].map(Action::new).to_vec();
        trunk.back_up_amaf(&mut walker, 1.0);
        let seen = |parent| {
            let (first, children) = trunk.tree.children(parent);
            let amaf = trunk.tree.amaf(first, children.len()).iter().map(Amaf::get);
            let all = children.iter().map(|node| node.action().index()).zip(amaf);
            let mut seen: Vec<_> = all.filter(|(_, amaf)| amaf.0 > 0.0).collect();
            seen.sort_by_key(|&(action, _)| action);
            seen
        };
        // The value is Black's: at the root, where Black plays, and below, where White does.
        assert_eq!(seen(ROOT), [(0, (1.0, 1.0)), (3, (1.0, 1.0)), (9, (1.0, 1.0))]);
        assert_eq!(seen(black), [(4, (1.0, -1.0)), (7, (1.0, -1.0))]);
    }

    #[test]
    fn values_change_sign_with_the_player() {
        let (trunk, _) = trunk();
        let black = child(&trunk, ROOT, 0);
        let white = child(&trunk, black, 7);
        trunk.back_up(&[black, white], 0.5);
        trunk.back_up(&[black], -1.0);
        let seen = |id| (trunk.tree.node(id).visits(), trunk.tree.node(id).sum());
        assert_eq!((seen(black), seen(white)), ((2, -0.5), (1, -0.5)));
    }
}

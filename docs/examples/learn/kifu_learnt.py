"""A learner on a page: PPO in numpy, one seat against random ones, and the bot `learnt:FILE` that plays what it learnt.

python kifu_learnt.py cake --matches 6000
"""

import argparse
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from kifu.core.env import policy_bot, seat_env
from kifu.core.errors import BotError

HIDDEN, STEP, CLIP, ENTROPY, VALUE = 64, 1e-3, 0.2, 0.01, 0.5
BATCH, EPOCHS, MINIBATCH = 40, 4, 64
"""Matches before each update, rounds over their decisions, decisions of one step of Adam."""


INPUTS = 6007
"""How many inputs the network has: a prime, which spreads a hash well."""


def fields_of(env):
    """Return the number of the field that each place of an observation belongs to."""
    fields = np.zeros(env.observation_space.shape[0], np.int64)
    for number, place in enumerate(env.places.values()):
        fields[place] = number
    return fields


def inputs(observation, fields):
    """Count what is seen: each number that is not 0 is an input by its field and one by its place, found by a hash."""
    places = np.flatnonzero(observation)
    numbers = observation[places].astype(np.int64)
    seen = np.zeros(INPUTS, np.float32)
    np.add.at(seen, (fields[places] * 257 + numbers * 31) % INPUTS, 1)
    np.add.at(seen, (places * 40_503 + numbers * 7_919 + 13) % INPUTS, 1)
    return seen


class Network:
    """One hidden layer; the logits of the actions and the value of the position on it."""

    def __init__(self, fields, actions, seed=0):
        random = np.random.default_rng(seed)
        self.weights = {
            "fields": fields,  # they are not learnt, and saved with what is
            "w": random.normal(0, 1 / np.sqrt(120), (INPUTS, HIDDEN)).astype(np.float32),  # few inputs are not 0
            "b": np.zeros(HIDDEN, np.float32),
            "p": random.normal(0, 0.01, (HIDDEN, actions)).astype(np.float32),
            "v": np.zeros(HIDDEN, np.float32),
        }
        self.moments = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in self.weights.items()}
        self.steps = 0

    def forward(self, seen, masks):
        """Return the hidden layer, the probabilities of the legal actions and the values, a row for each position."""
        hidden = np.maximum(seen @ self.weights["w"] + self.weights["b"], 0)
        logits = np.where(masks > 0, hidden @ self.weights["p"], -1e9)
        powers = np.exp(logits - logits.max(-1, keepdims=True))
        return hidden, powers / powers.sum(-1, keepdims=True), hidden @ self.weights["v"]

    def step(self, gradients, rate=STEP):
        """Take one step of Adam."""
        self.steps += 1
        for name, gradient in gradients.items():
            mean, square = self.moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            corrected = square / (1 - 0.999**self.steps)
            self.weights[name] -= rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(corrected) + 1e-8)


@dataclass
class Decisions:
    """What was decided in a batch of matches."""

    seen: list = field(default_factory=list)
    masks: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    chances: list = field(default_factory=list)
    returns: list = field(default_factory=list)


def play(env, network, random, decisions=None):
    """Play one match by drawing from the network; return whether its seat won, as a share."""
    observation, info = env.reset(seed=int(random.integers(2**31)))
    over, begun = False, len(decisions.seen) if decisions else 0
    while not over:
        seen, mask = inputs(observation, network.weights["fields"]), info["action_mask"]
        _, chances, _ = network.forward(seen, mask)
        action = int(random.choice(len(chances), p=chances.astype(float) / chances.sum(dtype=float)))
        if decisions:
            decisions.seen.append(seen)
            decisions.masks.append(mask)
            decisions.actions.append(action)
            decisions.chances.append(chances[action])
        observation, reward, over, _, info = env.step(action)
    if decisions:
        decisions.returns += [reward] * (len(decisions.seen) - begun)
    winners = env.match.result.winners
    return (env.seat in winners) / len(winners)


def learn(network, decisions, random, rate):
    """Improve the network by PPO on a batch: more of what did better than the value said, in small steps."""
    seen, masks = np.array(decisions.seen), np.array(decisions.masks)
    actions, before = np.array(decisions.actions), np.array(decisions.chances)
    returns = np.array(decisions.returns, np.float32)
    advantages = returns - network.forward(seen, masks)[2]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        order = random.permutation(len(actions))
        for begin in range(0, len(order), MINIBATCH):
            at = order[begin : begin + MINIBATCH]
            rows, count = np.arange(len(at)), len(at)
            hidden, chances, values = network.forward(seen[at], masks[at])
            ratio = chances[rows, actions[at]] / before[at]
            better = advantages[at] > 0
            clipped = np.where(better, ratio > 1 + CLIP, ratio < 1 - CLIP)
            weight = np.where(clipped, 0, ratio * advantages[at])
            logits = chances * weight[:, None]
            logits[rows, actions[at]] -= weight
            logs = np.log(chances + 1e-9)
            entropy = -(chances * logs).sum(-1, keepdims=True)
            logits = (logits + ENTROPY * chances * (logs + entropy)) / count
            errors = VALUE * (values - returns[at]) / count
            inner = (logits @ network.weights["p"].T + errors[:, None] * network.weights["v"]) * (hidden > 0)
            gradients = {"w": seen[at].T @ inner, "b": inner.sum(0), "p": hidden.T @ logits, "v": hidden.T @ errors}
            network.step(gradients, rate)


def train(game, matches, seed=0, told=None):
    """Train a network against random opponents; return it, and the share of matches won in each tenth."""
    env, random = seat_env(game, reward="points"), np.random.default_rng(seed)
    network = Network(fields_of(env), int(env.action_space.n), seed)
    scale, won, curve, decisions, began = 1.0, [], [], Decisions(), perf_counter()
    for number in range(1, matches + 1):
        won.append(play(env, network, random, decisions))
        if number % BATCH == 0:
            scale = max(1e-6, float(np.std(decisions.returns)))
            decisions.returns = [each / scale for each in decisions.returns]
            learn(network, decisions, random, STEP * (1 - (number - 1) / matches))
            decisions = Decisions()
        if number % max(1, matches // 10) == 0:
            curve.append(float(np.mean(won)))
            if told:
                told(
                    f"{number:6} matches {perf_counter() - began:4.0f} s  {curve[-1]:.2f} {'#' * round(40 * curve[-1])}"
                )
            won = []
    return network, curve


def learnt(_seed, argument=""):
    """Return the bot `learnt:FILE`: the likeliest action of a network that `main` has saved."""
    try:
        weights = dict(np.load(argument))
    except (OSError, ValueError) as cause:
        raise BotError(f"no file of weights: {argument[:60]!r}") from cause
    network = Network(weights["fields"], weights["p"].shape[1])
    network.weights = weights

    def likeliest(observation, mask):
        return int(np.argmax(network.forward(inputs(observation, weights["fields"]), mask)[1]))

    return policy_bot(likeliest)


def main():
    """Train, print the curve, and save the weights as GAME.npz."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    network, _ = train(given.game, given.matches, given.seed, print)
    np.savez(f"{given.game}.npz", **network.weights)


if __name__ == "__main__":
    main()

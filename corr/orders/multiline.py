"""Joins lines of an email that form one act: a question and its move, a sense and its turn, set-ups."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

from corr.words.orders import Act, Ask, Deploy, Order, Sense, SetupChoices, Step, Tries

BoardOrder: TypeAlias = Act | SetupChoices | Sense


def join_acts(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    return _join_setups(_join_prelude(orders))


def _join_prelude(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Join `any?` or `sense` with the act beside it, which is then tried after any answer."""
    for prelude, act in permutations(orders, 2):
        whole = _join_with_act(prelude, act)
        if whole is not None:
            return tuple(whole if order is prelude else order for order in orders if order is not act)
    return orders


def _join_with_act(prelude: Order, act: Order) -> Order | None:
    """Join a question or a sense with an act; None if they do not belong together."""
    if isinstance(prelude, Sense) and isinstance(act, Act):
        return replace(prelude, otherwise=act)
    if prelude == Ask() and isinstance(act, Step | Tries):
        tries = act if isinstance(act, Tries) else Tries((act,))
        return Ask(tries, tries)
    return None


def _join_setups(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Join set-ups on several lines into one act; they are tried in that order."""
    deploys = tuple(order for order in orders if isinstance(order, Deploy))
    if len(deploys) < 2:
        return orders
    first = orders.index(deploys[0])
    rest = tuple(order for order in orders if order not in deploys)
    return (*rest[:first], SetupChoices(deploys), *rest[first:])

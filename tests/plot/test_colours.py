"""Colours read against the paper in light and dark, and neighbours are told apart by who sees red and green alike."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from ankare.plot import style_sheet

PAPER = {"light": "#ffffff", "dark": "#14191f"}
APART = 10.0
"""CIE76 difference that can be seen side by side at a glance is about 2 to 3; marks are small."""
# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009), severity 1.
SEEN_AS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def palette(scheme: str) -> list[str]:
    light, dark = style_sheet().split("@media (prefers-color-scheme: dark)")
    return re.findall(r"--c\d: (#[0-9a-f]{6})", light if scheme == "light" else dark)


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def lab(light: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(
        light, 0, 1
    )
    scaled = xyz / [0.9505, 1.0, 1.089]
    f = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("scheme", PAPER)
def test_every_colour_reads_against_the_paper_and_the_paper_against_it(scheme: str) -> None:
    found = palette(scheme)
    assert len(found) == 8
    for colour in found:
        low, high = sorted((luminance(colour), luminance(PAPER[scheme])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


@pytest.mark.parametrize("scheme", PAPER)
@pytest.mark.parametrize("sight", SEEN_AS)
def test_any_two_are_told_apart_also_without_red_and_green(scheme: str, sight: str) -> None:
    seen = {colour: lab(np.array(SEEN_AS[sight]) @ linear(colour)) for colour in palette(scheme)}
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > APART, (one, other)


def test_red_and_green_of_one_brightness_are_caught() -> None:
    red, green = (lab(np.array(SEEN_AS["deutan"]) @ linear(colour)) for colour in ("#b3452f", "#5f6f2f"))
    assert np.linalg.norm(red - green) < 3 * APART

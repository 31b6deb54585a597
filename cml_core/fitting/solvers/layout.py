"""How one flat vector of variables becomes a configuration, and a gradient flows back.

The variables are y = [root_h U, amplitudes, free entries]. In these coordinates the
majoriser (14) is round, so that a plain gradient step of `Layout.safe` is a Guttman transform,
and L-BFGS starts from a well-conditioned problem.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cml_core.fitting.kernels import accumulate
from cml_core.values.arrays import FloatArray, IntArray
from cml_core.values.compiling import compiled

# The group of directions that nothing stretches, because B is given.
FIXED = -1


class Layout(NamedTuple):
    """Constant arrays that describe the variables of a fit.

    The configuration is X = [U, Z] with Z = W(t) A: `basis` holds W, one known direction
    after another. A full A is r x r and W'HW = I. Where `group` is not empty A is
    diagonal, and the columns of one group share one amplitude; that of `FIXED` is one.
    """

    n_components: int
    safe: float
    root_h: FloatArray
    basis: FloatArray
    group: IntArray
    amplitude_scale: FloatArray
    free_object: IntArray
    free_lift: FloatArray
    free_scale: FloatArray


@compiled(fast=True)
def place(layout: Layout, y: Any, basis: Any, X: Any) -> None:
    """Write the configuration that `y` stands for into X, and W(t) into `basis`."""
    n = layout.root_h.size
    p, r = layout.n_components, basis.shape[0]
    for k in range(p):
        for i in range(n):
            X[k, i] = y[k * n + i] / layout.root_h[i]
    amplitudes = y[p * n : p * n + layout.amplitude_scale.size]
    free = y[p * n + amplitudes.size :]
    # In two rounds, for several entries of one object may be missing and add up.
    for f in range(free.size):
        i = layout.free_object[f]
        for k in range(r):
            basis[k, i] = layout.basis[k, i]
    for f in range(free.size):
        i = layout.free_object[f]
        for k in range(r):
            basis[k, i] += free[f] / layout.free_scale[f] * layout.free_lift[f, k]
    if layout.group.size > 0:
        for k in range(r):
            g = layout.group[k]
            b = amplitudes[g] / layout.amplitude_scale[g] if g >= 0 else 1.0
            for i in range(n):
                X[p + k, i] = b * basis[k, i]
    else:
        for c in range(r):
            for i in range(n):
                X[p + c, i] = 0.0
            for k in range(r):
                a = amplitudes[k * r + c]
                for i in range(n):
                    X[p + c, i] += a * basis[k, i]


@compiled(fast=True)
def gather(layout: Layout, y: Any, basis: Any, G: Any, gradient: Any) -> None:
    """Turn G = (H - C) X into the gradient of the stress in the variables `y`."""
    n = layout.root_h.size
    p, r = layout.n_components, basis.shape[0]
    for k in range(p):
        for i in range(n):
            gradient[k * n + i] = 2.0 * G[k, i] / layout.root_h[i]
    # The gradient of the stress in X is 2 (H - C) X; the rest is the chain rule through `place`.
    count = layout.amplitude_scale.size
    amplitudes = y[p * n : p * n + count]
    outward = gradient[p * n : p * n + count]
    free = gradient[p * n + count :]
    diagonal = layout.group.size > 0
    if diagonal:
        outward[:] = 0.0
        for k in range(r):
            g = layout.group[k]
            if g < 0:
                continue
            total = 0.0
            for i in range(n):
                total += basis[k, i] * G[p + k, i]
            outward[g] += 2.0 * total / layout.amplitude_scale[g]
    else:
        for k in range(r):
            for c in range(r):
                total = 0.0
                for i in range(n):
                    total += basis[k, i] * G[p + c, i]
                outward[k * r + c] = 2.0 * total
    for f in range(free.size):
        i = layout.free_object[f]
        total = 0.0
        for k in range(r):
            if diagonal:
                g = layout.group[k]
                pull = G[p + k, i]
                if g >= 0:
                    pull *= amplitudes[g] / layout.amplitude_scale[g]
            else:
                pull = 0.0
                for c in range(r):
                    pull += amplitudes[k * r + c] * G[p + c, i]
            total += layout.free_lift[f, k] * pull
        free[f] = 2.0 * total / layout.free_scale[f]


@compiled(fast=True)
def stress_and_gradient(
    layout: Layout,
    delta: Any,
    weights: Any,
    constant: Any,
    y: Any,
    basis: Any,
    X: Any,
    G: Any,
    gradient: Any,
) -> float:
    """The raw stress (4) at `y`; its gradient is written into `gradient`."""
    place(layout, y, basis, X)
    G[:] = 0.0
    stress = accumulate(delta, weights, X, G, constant, 0, X.shape[1])
    gather(layout, y, basis, G, gradient)
    return stress

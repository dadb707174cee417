# grad of pathfinder (dynamic.py:55), for wall: float64[n, m]
import numpy as np


def pathfinder_grad(wall):
    cost = wall[0].copy()
    diff_wall = wall.shape[1] - 1
    diff_wall_1 = wall.shape[0] - 1
    below_at = np.empty((diff_wall_1, diff_wall), dtype=np.bool)
    above_at = np.empty((diff_wall_1, diff_wall), dtype=np.bool)
    below_1_at = np.empty((diff_wall_1, diff_wall), dtype=np.bool)
    above_1_at = np.empty((diff_wall_1, diff_wall), dtype=np.bool)
    for r in range(1, wall.shape[0]):
        below = cost.copy()
        below_part = below[1:]
        cost_part = cost[:-1]
        below_1_at[r - 1] = below_part <= cost_part
        above_1_at[r - 1] = below_part >= cost_part
        below[1:] = np.minimum(below_part, cost_part)
        below_part = below[:-1]
        cost_part = cost[1:]
        below_at[r - 1] = below_part <= cost_part
        above_at[r - 1] = below_part >= cost_part
        below[:-1] = np.minimum(below_part, cost_part)
        cost = below + wall[r]
    # pullback
    mask = (cost == np.min(cost)).astype(np.float64)  # line 63: return np.min(cost)
    wall_bar = np.zeros_like(wall)   # line 58: for r in range(1, wall.shape[0])
    cost_bar = mask / np.sum(mask)   # line 63: return np.min(cost)
    for r in range(diff_wall_1, 0, -1):  # line 58: for r in range(1, wall.shape[0])
        below_at_item = below_at[r - 1]
        above_at_item = above_at[r - 1]
        below_1_at_item = below_1_at[r - 1]
        above_1_at_item = above_1_at[r - 1]
        wall_bar[r] += cost_bar      # line 62: cost = below + wall[r]
        # pullback of line 61: below[:-1] = np.minimum(below[:-1], cost[1:])
        below_bar = cost_bar
        below_bar_part = below_bar[:-1]
        chosen = np.where(below_at_item & above_at_item, 0.5 * below_bar_part, below_bar_part)
        below_bar[:-1] = 0.0
        cost_bar = np.zeros_like(below_bar)
        cost_bar[1:] = np.where(above_at_item, chosen, 0)
        below_bar[:-1] += np.where(below_at_item, chosen, 0)
        # pullback of line 60: below[1:] = np.minimum(below[1:], cost[:-1])
        below_bar_part = below_bar[1:]
        chosen_1 = np.where(below_1_at_item & above_1_at_item, 0.5 * below_bar_part, below_bar_part)
        below_bar[1:] = 0.0
        cost_bar[:-1] += np.where(above_1_at_item, chosen_1, 0)
        below_bar[1:] += np.where(below_1_at_item, chosen_1, 0)
        cost_bar += below_bar        # line 59: below = cost.copy()
    wall_bar[0] += cost_bar          # line 57: cost = wall[0].copy()
    return wall_bar

"""The rows in PyTorch; eager, for nothing but LAPACK takes time here."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import linalg

from benchmarks.algebra import rows

SPELLED: dict[Callable[..., Any], Callable[..., Any]] = {
    rows.solve: lambda a, b: torch.sum(linalg.solve(a, b) ** 2),
    rows.inv: lambda a, w: torch.sum(linalg.inv(a) * w),
    rows.det: lambda a: linalg.det(a / 5),
    rows.slogdet: lambda a: linalg.slogdet(a)[1],
    rows.cholesky: lambda a, w: torch.sum(linalg.cholesky(a) * w),
    rows.eigvalsh: lambda a: torch.sum(linalg.eigvalsh(a) ** 3),
    rows.eigh: lambda a, w: torch.sum(linalg.eigh(a)[1] ** 2 * w),
    rows.singular_values: lambda a: torch.sum(linalg.svdvals(a) ** 3),
    rows.svd: lambda a, w: (lambda u, s, _: torch.sum((u * s) ** 2 * w))(*linalg.svd(a, full_matrices=False)),
    rows.qr: lambda a, w: (lambda q, r: torch.sum(r * w) + torch.sum(q))(*linalg.qr(a)),
    rows.pinv: lambda a, w: torch.sum(linalg.pinv(a) * w),
    rows.lstsq: lambda a, b: torch.sum(linalg.lstsq(a, b[:, None])[0] ** 2),
    rows.matrix_power: lambda a, w: torch.sum(linalg.matrix_power(a, 3) * w),
    rows.nuclear_norm: lambda a: linalg.matrix_norm(a, 'nuc'),
    rows.triangular: lambda a, b: torch.sum(linalg.solve_triangular(a, b[:, None], upper=False) ** 2),
    rows.expm: lambda a, w: torch.sum(linalg.matrix_exp(a) * w),
    rows.batched_inv: lambda a: torch.sum(linalg.inv(a) ** 2),
    rows.batched_cholesky: lambda a: torch.sum(linalg.cholesky(a) ** 3),
    rows.matmul: lambda a, b: torch.sum((a @ b) ** 2),
    rows.fft: lambda x: torch.sum(torch.abs(torch.fft.fft(x)) ** 2),
    rows.rfft: lambda x: torch.sum(torch.abs(torch.fft.rfft(x)) ** 2),
    rows.irfft: lambda x: torch.sum(torch.fft.irfft(torch.fft.rfft(x) * 2.0) ** 2),
    rows.fft2: lambda x: torch.sum(torch.abs(torch.fft.fft2(x)) ** 2),
    rows.fft_columns: lambda x: torch.sum(torch.abs(torch.fft.fft(x, dim=0)) ** 2),
}


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    def of_first(*args):
        x, *others = map(torch.as_tensor, args)
        x = x.detach().requires_grad_(True)
        return torch.autograd.grad(SPELLED[function](x, *others), x)[0].numpy()
    return of_first

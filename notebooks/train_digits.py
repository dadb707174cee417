"""Train the classifier of `digits.py` on scikit-learn's handwritten digits, with its compiled gradient."""
import time

import numpy as np
from digits import loss, predict
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import transpiler as tp

HIDDEN, EPOCHS, BATCH = 96, 20, 32
RATE, MOMENTUM = 0.1, 0.9
GOAL = 0.97

console = Console()


SHIFTS = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))


def load_data():
    """Pixels in [0, 1] and one-hot labels: four fifths to train with, each image also shifted by a pixel, one fifth to test."""
    images, labels = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(images / 16.0, np.eye(10)[labels], test_size=0.2, random_state=0,
                                                        stratify=labels)
    return np.concatenate([shifted(x_train, *by) for by in SHIFTS]), x_test, np.tile(y_train, (len(SHIFTS), 1)), y_test


def shifted(images, down, right):
    """The 8 by 8 images moved by a pixel, with an empty edge moving in."""
    padded = np.pad(images.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    return padded[:, 1 - down:9 - down, 1 - right:9 - right].reshape(images.shape)


def initial_params(rng, inputs, outputs):
    return {'w1': rng.normal(size=(inputs, HIDDEN)) / np.sqrt(inputs), 'b1': np.zeros(HIDDEN),
            'w2': rng.normal(size=(HIDDEN, outputs)) / np.sqrt(HIDDEN), 'b2': np.zeros(outputs)}


def train(step, params, x, y, rng):
    """Stochastic gradient descent with momentum; the learning rate falls to zero."""
    velocity = {name: np.zeros_like(value) for name, value in params.items()}
    columns = (TextColumn('training'), BarColumn(), MofNCompleteColumn(), TextColumn('epochs, loss {task.fields[loss]:.4f}'),
               TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task('training', total=EPOCHS, loss=np.nan)
        for epoch in range(EPOCHS):
            order, rate, losses = rng.permutation(len(x)), RATE * (1 - epoch / EPOCHS), []
            for start in range(0, len(x) - BATCH + 1, BATCH):
                batch = order[start:start + BATCH]
                value, gradient = step(params, x[batch], y[batch])
                velocity = {name: MOMENTUM * velocity[name] - rate * gradient[name] for name in params}
                params = {name: params[name] + velocity[name] for name in params}
                losses.append(value)
            progress.update(task, advance=1, loss=np.mean(losses))
    return params


def accuracy(params, x, y):
    return np.mean(np.argmax(predict(params, x), axis=1) == np.argmax(y, axis=1))


def seconds_per_call(function, *args, calls=300):
    """The median over many calls."""
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        function(*args)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main():
    rng = np.random.default_rng(0)
    x_train, x_test, y_train, y_test = load_data()
    params = initial_params(rng, x_train.shape[1], y_train.shape[1])
    plain = tp.value_and_grad(loss)
    step = tp.jit(plain)

    start = time.perf_counter()
    step(params, x_train[:BATCH], y_train[:BATCH])
    first_call = time.perf_counter() - start
    trained = train(step, params, x_train, y_train, rng)
    score = accuracy(trained, x_test, y_test)

    batch = (trained, x_train[:BATCH], y_train[:BATCH])
    compiled, interpreted = seconds_per_call(step, *batch), seconds_per_call(plain, *batch)
    report = Table(title=f'{len(x_train)} training images, {len(x_test)} test images, batches of {BATCH}', show_header=False)
    report.add_row('test accuracy', f'{score:.2%}')
    report.add_row('time per step, jit', f'{compiled * 1e6:.0f} µs')
    report.add_row('time per step, plain Python', f'{interpreted * 1e6:.0f} µs')
    report.add_row('first call (compiled, or loaded from the cache)', f'{first_call:.2f} s')
    console.print(report)
    if score < GOAL:
        raise SystemExit(f'the accuracy is below {GOAL:.0%}')


if __name__ == '__main__':
    main()

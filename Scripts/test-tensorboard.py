"""Interrupts a run, kills it, lets it end, and compares what TensorBoard reads of it with what it should.

usage: test-tensorboard.py INKLING-TRAIN DATA

One reader of TensorBoard's watches the run's folder all the time, as `tensorboard` would; another reads it once the run
has ended. Both must have each step once, the values of metrics.csv, and those of a run that nothing befell.
"""

import csv
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

EPOCHS = 12
# The metrics' columns, and half a unit of their last digit; the learning rate has six digits.
COLUMNS = {
    "epoch/learning_rate": ("learning_rate", 0),
    "loss/train": ("train_loss", 0.5e-6),
    "accuracy/train": ("train_accuracy", 0.5e-6),
    "loss/validation": ("validation_loss", 0.5e-6),
    "accuracy/validation": ("validation_accuracy", 0.5e-6),
    "epoch/images_per_second": ("images_per_second", 0.5),
}
BATCH_TAGS = ["batch/learning_rate", "batch/loss"]


def main():
    train, data = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        run = pathlib.Path(work, "run")
        whole = pathlib.Path(work, "whole")
        start = [train, "--data", data, "--preset", "lenet5", "--epochs", str(EPOCHS), "--output"]
        resume = [train, "--resume", run]

        watcher = reader(run)
        interrupted = stop(start + [run], signal.SIGINT, watcher, 1)
        require(interrupted == 130, f"Ctrl-C ended the run with status {interrupted}")
        killed = stop(resume, signal.SIGKILL, watcher, 3)
        require(killed == -signal.SIGKILL, f"the kill came too late: status {killed}")
        # Once more at the start of the program.
        process = subprocess.Popen(resume, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.05)
        process.kill()
        process.wait()
        seen = last_step(watcher, "batch/loss")
        subprocess.run(resume, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(start + [whole], check=True, stdout=subprocess.DEVNULL)

        found = scalars(reader(run))
        compare_with_metrics(found, run / "metrics.csv")
        compare(scalars(watcher), found, "what a reader saw that watched the run", [])
        compare(found, scalars(reader(whole)), "a run that was stopped", ["epoch/images_per_second"])
        files = len(list(run.glob("*tfevents*")))
        require(files >= 3, f"{files} event files of three processes")
        count = sum(len(values) for values in found.values())
        print(f"test-tensorboard: {count} scalars in {files} event files are right; the kill came at step {seen}")


def reader(folder):
    """A reader of all scalars; by default TensorBoard draws some of them."""
    return EventAccumulator(str(folder), size_guidance={"scalars": 0})


def stop(command, number, watcher, epoch):
    """Runs a command up to the middle of the epoch after `epoch`, as seen by the watcher, and sends the signal."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while process.poll() is None:
        require(time.monotonic() < deadline, "the run's events do not come")
        finished = last_step(watcher, "loss/train")
        if finished and len(watcher.Scalars("loss/train")) >= epoch:
            if last_step(watcher, "batch/loss") > finished + 10:
                process.send_signal(number)
                break
        time.sleep(0.01)
    return process.wait(timeout=120)


def last_step(watcher, tag):
    if pathlib.Path(watcher.path).exists():
        watcher.Reload()
    return watcher.Scalars(tag)[-1].step if tag in watcher.Tags()["scalars"] else 0


def scalars(watcher):
    """{tag: [(step, value)]}, each step once and in order."""
    watcher.Reload()
    found = {tag: [(e.step, e.value) for e in watcher.Scalars(tag)] for tag in watcher.Tags()["scalars"]}
    require(sorted(found) == sorted([*COLUMNS, *BATCH_TAGS]), f"the tags are {sorted(found)}")
    for tag, values in found.items():
        steps = [step for step, _ in values]
        require(all(a < b for a, b in zip(steps, steps[1:])), f"{tag}: the steps do not ascend: {steps}")
    return found


def compare_with_metrics(found, path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    require(len(rows) == EPOCHS, f"metrics.csv has {len(rows)} epochs")
    steps = [int(row["step"]) for row in rows]
    for tag, (column, half) in COLUMNS.items():
        require([step for step, _ in found[tag]] == steps, f"{tag}: other steps than in metrics.csv")
        for (step, value), row in zip(found[tag], rows):
            expected = float(row[column])
            # Six digits are right to 5e-6 of the number, a float to 6e-8.
            relative = 5e-6 if column == "learning_rate" else 6e-8
            require(
                abs(value - expected) <= half + relative * abs(expected),
                f"{tag} at step {step}: {value}, but {expected} in metrics.csv",
            )
    for tag in BATCH_TAGS:
        require(
            [step for step, _ in found[tag]] == list(range(10, steps[-1] + 1, 10)),
            f"{tag}: not every tenth step",
        )


def compare(found, expected, what, other_values):
    for tag, values in expected.items():
        if tag in other_values:
            same = [step for step, _ in found[tag]] == [step for step, _ in values]
        else:
            same = found[tag] == values
        require(same, f"{what} differs in {tag}:\n{found[tag]}\n{values}")


def require(condition, message):
    if not condition:
        sys.exit(f"test-tensorboard: {message}")


main()

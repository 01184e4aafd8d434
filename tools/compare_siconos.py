#!/usr/bin/env python3
"""Gauss-Seidel against Siconos' Gauss-Seidel on the same files, in one run, at the same certificate.

  tools/compare_siconos.py --shared ../shared --stickslip target/release/stickslip [--tol 1e-4] [--limit 8] [FILE ...]

Needs a Python with siconos (Debian: python3-siconos python3-h5py python3-scipy). Both programs are judged by the
`siconos` measure, |r - P_K(r - u - g(u))| / max(|q|, |r|, |u|), recomputed from r. Times are those of the solver
alone, the best of three in one process: both are handed their operator (Siconos the condensed W, stickslip W or, for
rigid bodies, H and M^-1 H). The table goes to standard output, then the geometric mean over what both solve.
"""
import argparse, csv, glob, json, math, os, subprocess, sys, tempfile

NSGS = {"NSGS", "2D_NSGS", "R_NSGS"}


def siconos(shared, files, tol, limit):
    """file -> (CPU seconds, error), for what it brings below the tolerance in time."""
    out = tempfile.mktemp(suffix=".csv")
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    command = [sys.executable, os.path.join(shared, "peer/siconos_bench.py"), "--out", out, "--solvers",
               ",".join(sorted(NSGS)), "--tol", repr(tol), "--timeout", repr(limit)] + files
    subprocess.run(command, check=True, env=env)
    found = {}
    for row in csv.DictReader(open(out)):
        if row["error_scaled"] and float(row["error_scaled"]) <= tol * 1.0001:
            found[row["file"]] = (float(row["cpu_s"]), int(row["iterations"]))
    return found


def ours(program, files, tol, limit):
    """file -> (CPU seconds, sweeps) likewise; the operator is ready before the clock starts, as W is for Siconos."""
    found = {}
    for f in files:
        for repeat in (3, 1):
            command = [program, "solve", f, "--tol", repr(tol), "--measure", "siconos", "--time-limit", repr(limit),
                       "--max-iter", "1000000000", "--json", "--repeat", str(repeat)]
            text = subprocess.run(command, capture_output=True, text=True).stdout
            answer = json.loads(text)
            if answer["converged"]:
                found[os.path.basename(f)] = (answer["seconds"], answer["iterations"])
                break
    return found


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--shared", default="../shared")
    a.add_argument("--stickslip", default="target/release/stickslip")
    a.add_argument("--tol", type=float, default=1e-4)
    a.add_argument("--limit", type=float, default=8.0)
    a.add_argument("files", nargs="*")
    a = a.parse_args()
    fclib = os.path.join(a.shared, "data/fclib")
    files = a.files or sorted(glob.glob(fclib + "/*.hdf5")) + sorted(glob.glob(fclib + "/generated/*.hdf5"))
    mine = ours(a.stickslip, files, a.tol, a.limit)
    theirs = siconos(a.shared, files, a.tol, a.limit)
    print("%-48s %12s %8s %12s %8s %8s" % ("file", "stickslip s", "sweeps", "siconos s", "sweeps", "ratio"))
    logs = []
    for f in map(os.path.basename, files):
        m, t = mine.get(f), theirs.get(f)
        ratio = ""
        if m and t:
            logs.append(math.log(t[0] / m[0]))
            ratio = "%.1f" % (t[0] / m[0])
        cell = lambda x: ("%.6f" % x[0], x[1]) if x else ("-", "-")  # noqa: E731
        print("%-48s %12s %8s %12s %8s %8s" % ((f,) + cell(m) + cell(t) + (ratio,)))
    print("\n%d files; stickslip solves %d, siconos %d, both %d" % (len(files), len(mine), len(theirs), len(logs)))
    if logs:
        slower = sum(x < 0 for x in logs)
        print("siconos time over stickslip time: geometric mean %.1f, slower on %d" % (math.exp(sum(logs) / len(logs)), slower))


if __name__ == "__main__":
    main()

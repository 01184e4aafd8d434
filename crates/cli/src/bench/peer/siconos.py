"""Siconos' solvers at the other end of a pipe: a job is a line of JSON, so is its answer (see worker.rs).

Only the call of the driver is timed, in CPU seconds; problem and options are made anew before every repetition, outside
of the clock. No timer is set here: an armed one makes the CPU clock of the process count in whole ticks. Who waits at the
other end of the pipe ends the process when its time is over.
"""
import json
import os
import signal
import sys
import tempfile
import time
import warnings

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

warnings.simplefilter("ignore")
for part in ("coo", "csc", "csr"):
    try:  # the interface looks these up by name
        __import__("scipy.sparse." + part)
    except ImportError:
        pass
import siconos.numerics as sn  # noqa: E402

# Ctrl-C ends a solver in C at once
signal.signal(signal.SIGINT, signal.SIG_DFL)
# the solvers print; the pipe is kept for answers
pipe = os.fdopen(os.dup(1), "w")
nowhere = os.open(os.devnull, os.O_WRONLY)
os.dup2(nowhere, 1)
os.dup2(nowhere, 2)
sn.numerics_set_verbose(0)


def say(word):
    pipe.write(json.dumps(word) + "\n")
    pipe.flush()


class Problem:
    """The arrays of handover.rs."""

    def __init__(self, path):
        with open(path, "rb") as f:
            header = json.loads(f.readline())
            arrays = {name: np.fromfile(f, dtype=kind, count=count) for name, kind, count in header["arrays"]}
        self.d, self.nc, n = header["dimension"], header["contacts"], header["dofs"]
        m = self.d * self.nc
        self.q, self.mu, self.mu_r = arrays["q"], arrays["mu"], arrays["mu_r"]

        def matrix(name, rows, cols):
            parts = arrays[name + "_val"], arrays[name + "_col"], arrays[name + "_ptr"]
            return sp.csr_matrix(parts, shape=(rows, cols))

        self.W = matrix("W", m, m)
        if n:
            self.M, self.H = matrix("M", n, n), matrix("H", n, m)
            self.f, self.w = arrays["f"], arrays["w"]


def stored(a, storage, d):
    if storage == "dense":
        return np.asfortranarray(a.toarray())
    a = sp.csc_matrix(a)
    if storage == "blocks":
        return sn.SBM_from_csparse(d, a)[1]
    a.indices, a.indptr = a.indices.astype(np.int64), a.indptr.astype(np.int64)
    return a


def text(numbers):
    return " ".join(repr(float(x)) for x in numbers) + "\n"


def rolling_file(p, storage, path):
    """Rolling problems go through Siconos' text format: its interface cannot set mu_r."""
    size = p.d * p.nc
    with open(path, "w") as f:
        f.write("%d\n%d\n" % (p.d, p.nc))
        if storage == "dense":
            f.write("0\n%d\n%d\n%d %d\n" % (size, size, size, size) + text(p.W.toarray().T.ravel()))
        else:
            b = sp.bsr_matrix(p.W, blocksize=(p.d, p.d))
            b.sort_indices()
            ends = " ".join(str(p.d * (k + 1)) for k in range(p.nc)) + "\n"
            count = len(b.indices)
            f.write("1\n%d\n%d\n%d\n%d\n%d\n" % (size, size, count, p.nc, p.nc) + ends + ends)
            f.write("%d\n%d\n" % (p.nc + 1, count))
            f.write(" ".join(map(str, b.indptr)) + "\n" + " ".join(map(str, b.indices)) + "\n")
            for k, block in enumerate(b.data):
                f.write("%d\n" % k + text(block.T.ravel()))
        f.write(text(p.q) + text(p.mu) + text(p.mu_r))


def ready(p, job, options, r, u):
    """A call of the driver, everything before it done; the problem must outlive the call."""
    kind, storage = job["kind"], job["storage"]
    if kind == "rolling":
        path = os.path.join(tempfile.gettempdir(), "stickslip-peer-%d.dat" % os.getpid())
        try:
            rolling_file(p, storage, path)
            problem = sn.rollingFrictionContact_new_from_filename(path)
        finally:
            if os.path.exists(path):
                os.remove(path)
        return lambda: sn.rolling_fc3d_driver(problem, r, u, options)
    if kind == "global_space":
        problem = sn.globalFrictionContactProblem_new()
        problem.dimension, problem.numberOfContacts = p.d, p.nc
        problem.M, problem.H = stored(p.M, "columns", p.d), stored(p.H, "columns", p.d)
        problem.q, problem.b, problem.mu = p.f.copy(), p.w.copy(), p.mu.copy()
        v = np.zeros(len(p.f))
        if r.any():
            v[:] = sla.spsolve(p.M.tocsc(), p.f + p.H @ r)
        return lambda: sn.gfc3d_driver(problem, r, u, v, options)
    problem = sn.FrictionContactProblem(p.d, p.nc, stored(p.W, storage, p.d), p.q.copy(), p.mu.copy())
    driver = sn.fc2d_driver if kind == "plane" else sn.fc3d_driver
    return lambda: driver(problem, r, u, options)


def once(p, job, announced):
    options = sn.SolverOptions(getattr(sn, job["constant"]))
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = job["max_iterations"]
    options.dparam[sn.SICONOS_DPARAM_TOL] = job["tolerance"]
    if job["inner"]:
        sn.solver_options_update_internal(options, 0, getattr(sn, job["inner"]))
    r = np.zeros(p.d * p.nc) if job["start"] is None else np.array(job["start"], dtype=float)
    u = np.zeros(p.d * p.nc) if job["start"] is None else p.W @ r + p.q
    call = ready(p, job, options, r, u)
    if announced:
        say({"begin": job["time_limit"]})
    begun = time.process_time_ns()
    info = call()
    seconds = 1e-9 * (time.process_time_ns() - begun)
    info = info[0] if isinstance(info, (list, tuple)) else info
    return seconds, int(info), int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]), r


def work(p, job):
    seconds, unannounced = [], float("inf")
    while True:
        announced = unannounced >= job["announced"] * job["time_limit"]
        t, info, iterations, r = once(p, job, announced)
        seconds.append(t)
        unannounced = t if announced else unannounced + t
        # the rule of clock.rs
        done, spent = len(seconds), sum(seconds)
        if job["repeat"] <= 1 or spent >= job["enough"]:
            break
        if not (done < job["repeat"] or (spent < job["at_least"] and done < job["most"])):
            break
    finite = bool(np.isfinite(r).all())
    return {"seconds": seconds, "setup": None, "iterations": max(iterations, 0), "claimed": info == 0,
            "note": "info %d" % info + ("" if finite else ", not finite"), "r": r.tolist() if finite else None}


path = problem = None
for line in sys.stdin:
    job = json.loads(line)
    try:
        if job["problem"] != path:
            problem, path = Problem(job["problem"]), job["problem"]
        say({"done": work(problem, job)})
    except Exception as e:  # a solver that cannot take the problem says so by all sorts of errors
        say({"refused": repr(e)[:200]})

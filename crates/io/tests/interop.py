"""Compare FCLIB files as h5py sees them.

usage: interop.py ORIGINAL REWRITTEN    (two files, or two folders with files of the same names)

Groups, attributes, datasets, types, shapes and values (bit for bit) must agree.
"""
import os
import sys

import h5py
import numpy as np


def string_type(d):
    """Padding and character set of a string dataset; numbers have none."""
    t = d.id.get_type()
    return (t.get_strpad(), t.get_cset(), t.get_size()) if isinstance(t, h5py.h5t.TypeStringID) else None


def attributes(o):
    found = {}
    for name in o.attrs:
        a = o.attrs.get_id(name)
        found[name] = (a.dtype, a.shape, np.asarray(o.attrs[name]).tobytes())
    return found


def listing(h):
    found = {"/": ("group", attributes(h))}

    def visit(name, o):
        if isinstance(o, h5py.Group):
            found[name] = ("group", attributes(o))
        else:
            data = np.asarray(o[()]).tobytes()
            found[name] = ("dataset", o.dtype, o.shape, o.chunks, string_type(o), data, attributes(o))

    h.visititems(visit)
    return found


def compare(a, b):
    with h5py.File(a, "r") as x, h5py.File(b, "r") as y:
        left, right = listing(x), listing(y)
    faults = ["%s: only in %s" % (k, a if k in left else b) for k in set(left) ^ set(right)]
    faults += ["%s: %r differs from %r" % (k, left[k][:5], right[k][:5])
               for k in set(left) & set(right) if left[k] != right[k]]
    return faults


def main():
    a, b = sys.argv[1:3]
    pairs = [(a, b)]
    if os.path.isdir(a):
        pairs = [(os.path.join(a, n), os.path.join(b, n)) for n in sorted(os.listdir(a)) if n.endswith(".hdf5")]
    bad = 0
    for x, y in pairs:
        for fault in compare(x, y):
            bad += 1
            print("%s: %s" % (os.path.basename(x), fault))
    print("%d files compared, %d differences" % (len(pairs), bad))
    return 1 if bad or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())

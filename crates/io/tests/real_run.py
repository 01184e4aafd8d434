"""Reads the results of a real run with h5py and with vtk, and compares every frame with what our own reader found.

usage: real_run.py FILE EXPECTED.json
"""

import json
import sys

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

path, expected = sys.argv[1], json.load(open(sys.argv[2]))
BODIES = {"velocity": "v", "angular_velocity": "omega", "orientation": "orientation", "id": "id"}
CONTACTS = {"a": "a", "b": "b", "gap": "gap", "impulse": "impulse", "normal": "normal", "status": "status"}


def same(found, wanted, what):
    wanted = np.array(wanted, dtype=float).reshape(np.shape(found))
    assert np.array_equal(np.asarray(found, dtype=float), wanted), (what, found, wanted)


def with_h5py():
    with h5py.File(path) as f:
        for name, fields in (("Bodies", BODIES), ("Contacts", CONTACTS)):
            block = f["VTKHDF"][name]
            assert block["Steps"].attrs["NSteps"] == len(expected)
            for k, frame in enumerate(expected):
                wanted = frame[name]
                assert block["Steps/Values"][k] == frame["t"]
                n, at = block["NumberOfPoints"][k], block["Steps/PointOffsets"][k]
                assert n == len(wanted["points"]), (name, k, n)
                same(block["Points"][at : at + n], wanted["points"], (name, k, "points"))
                for ours, theirs in fields.items():
                    same(block["PointData"][ours][at : at + n], wanted[theirs], (name, k, ours))


def with_vtk():
    errors = []
    reader = vtk.vtkHDFReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(path)
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == len(expected)
    for k, frame in enumerate(expected):
        reader.SetStep(k)
        reader.Update()
        for b, (name, fields) in enumerate((("Bodies", BODIES), ("Contacts", CONTACTS))):
            data, wanted = reader.GetOutput().GetPartition(b, 0), frame[name]
            n = data.GetNumberOfPoints() if data else 0
            assert n == len(wanted["points"]), (name, k, n)
            if n:
                same(vtk_to_numpy(data.GetPoints().GetData()), wanted["points"], (name, k, "points"))
                for ours, theirs in fields.items():
                    same(vtk_to_numpy(data.GetPointData().GetArray(ours)), wanted[theirs], (name, k, ours))
    assert not errors, errors


with_h5py()
with_vtk()

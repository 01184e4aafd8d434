"""Reads a results file with h5py and with vtk, and compares every frame with the one that the test made up.

usage: results.py FILE FRAMES BODIES
"""

import json
import sys

import h5py
import numpy as np

path, frames, bodies = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def count_bodies(k):
    return min(bodies, 2 + k * bodies // 5)


def count_contacts(k):
    return (7 * k) % 40


def with_h5py():
    with h5py.File(path) as f:
        ours = f["stickslip"]
        assert ours.attrs["version"] == 1 and ours.attrs["dimension"] == 3 and ours.attrs["h"] == 1e-3
        info = json.loads(ours["info"][()])
        assert info["name"] == "balls" and info["body_size"][0] == 0.1
        assert "öne scene" in ours["scene"][()].decode()
        assert list(ours["step"]) == [10 * k for k in range(frames)]
        for name, count in (("Bodies", count_bodies), ("Contacts", count_contacts)):
            block = f["VTKHDF"][name]
            assert block["Steps"].attrs["NSteps"] == frames
            np.testing.assert_allclose(block["Steps/Values"], 0.01 * np.arange(frames), rtol=1e-15)
            for k in range(frames):
                n, at = block["NumberOfPoints"][k], block["Steps/PointOffsets"][k]
                assert n == count(k), (name, k, n)
                points = block["Points"][at : at + n]
                if n:
                    assert (points[:, 0] == np.arange(n)).all() and (points[:, 1] == k).all()
                if name == "Contacts" and n:
                    assert (block["PointData/rln"][at : at + n] == 2 + np.arange(n)).all()
                    assert (block["PointData/status"][at : at + n] == np.arange(n) % 3).all()
                    assert (block["PointData/b"][at : at + n] == 1 + np.arange(n)).all()


def with_vtk():
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy

    errors = []
    reader = vtk.vtkHDFReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == frames, reader.GetNumberOfSteps()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    if frames > 1:  # vtk tells no times of a single step
        np.testing.assert_allclose(times, 0.01 * np.arange(frames), rtol=1e-15)
    for k in sorted({0, 1, 2, frames // 2, frames - 1} & set(range(frames))):
        reader.SetStep(k)
        reader.Update()
        out = reader.GetOutput()
        assert out.GetNumberOfPartitionedDataSets() == 2
        for b, count in ((0, count_bodies), (1, count_contacts)):
            data = out.GetPartition(b, 0)
            n = count(k)
            have = data.GetNumberOfPoints() if data else 0
            assert have == n, (k, b, have, n)
            if n == 0:
                continue
            assert data.GetNumberOfVerts() == n, data.GetNumberOfVerts()
            points = vtk_to_numpy(data.GetPoints().GetData())
            assert (points[:, 0] == np.arange(n)).all() and (points[:, 1] == k).all(), points
            names = {data.GetPointData().GetArrayName(i) for i in range(data.GetPointData().GetNumberOfArrays())}
            if b == 0:
                assert names == {"velocity", "angular_velocity", "orientation", "radius", "id"}, names
                radius = vtk_to_numpy(data.GetPointData().GetArray("radius"))
                assert (radius == 0.1 + np.arange(n)).all()
            else:
                assert names == {"normal", "impulse", "gap", "rln", "rlt", "vln", "a", "b", "status"}, names
                rln = vtk_to_numpy(data.GetPointData().GetArray("rln"))
                assert (rln == 2 + np.arange(n)).all()
    assert not errors, errors
    return vtk.vtkVersion().GetVTKVersion()


with_h5py()
print("h5py", h5py.version.version, "vtk", with_vtk())

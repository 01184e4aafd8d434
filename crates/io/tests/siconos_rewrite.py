"""Let Siconos read a local problem in text and write it again in each of its storages.

usage: siconos_rewrite.py FILE     writes FILE.dense, FILE.blocks, FILE.columns, FILE.triplets
"""
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import numpy as np
    import scipy.sparse as sp
    import scipy.sparse.coo, scipy.sparse.csc, scipy.sparse.csr  # noqa: E401,F401  (siconos looks them up by name)
    import siconos.numerics as sn
except ImportError as e:
    print("skipped: %s" % e)
    sys.exit(0)

name = sys.argv[1]
problem = sn.frictionContact_new_from_filename(name)
n = problem.dimension * problem.numberOfContacts
matrix = sp.csc_matrix([[sn.NM_get_value(problem.M, i, j) for j in range(n)] for i in range(n)])
columns = matrix.copy()
columns.indices, columns.indptr = columns.indices.astype(np.int64), columns.indptr.astype(np.int64)
d = problem.dimension
storages = {"dense": np.asfortranarray(matrix.toarray()), "blocks": sn.SBM_from_csparse(d, matrix)[1],
            "columns": columns, "triplets": sp.coo_matrix(matrix)}
for k, m in storages.items():
    q, mu = np.array(problem.q, dtype=float).ravel(), np.array(problem.mu, dtype=float).ravel()
    copy = sn.FrictionContactProblem(d, problem.numberOfContacts, m, q, mu)
    if sn.frictionContact_printInFilename(copy, "%s.%s" % (name, k)):
        sys.exit("cannot write " + k)

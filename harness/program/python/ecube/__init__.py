# SPDX-License-Identifier: Apache-2.0
"""Run the network simulator ecube, and read its results.

    import ecube

    run = ecube.run("cube:6", "shift:q=5,m=64")
    print(run.cycles, run.predicted_cycles, run.latency.mean)

Every function starts the program `ecube` and returns its JSON as an object: keys are attributes. The program's manual
and docs/output/ define the options and the keys. Nothing but the standard library is needed; `to_pandas()` needs pandas.
"""
from .commands import audit, plan, regress, run, sweep, sweep_points, tile_check
from .program import Error, VerdictError, program
from .results import (Audit, Check, Curve, Latency, Plan, Point, Record, Regression, RegressionRow, Run, Sweep, TileCheck,
                      TileMode)
from .trace import Trace

__version__ = "0.2.0"

__all__ = ["Audit", "Check", "Curve", "Error", "Latency", "Plan", "Point", "Record", "Regression", "RegressionRow", "Run",
           "Sweep", "TileCheck", "TileMode", "Trace", "VerdictError", "audit", "plan", "program", "regress", "run", "sweep",
           "sweep_points", "tile_check"]

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workflows for CI: their syntax, and the job for routers as it runs in a repository with a router.

    workflows.py SOURCE-ROOT PROGRAM

The commands of that job are executed as they stand, except those that install ecube: on a router that is right, then with a
limit that it exceeds, then on one that breaks the contract. Needs python3-yaml; status 77: it is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

try:
    import yaml
except ImportError:
    print("python3-yaml is not installed")
    sys.exit(77)

SOURCE, PROGRAM = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
CONTEXTS = {"env", "github", "matrix"}


def expect(good, text):
    if not good:
        sys.exit(f"FAIL: {text}")


def check(path):
    """What GitHub would refuse: keys, steps without an action, contexts, shell syntax."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    flow = yaml.safe_load(text)
    expect(set(flow) <= {"name", True, "env", "jobs"}, f"{path}: unknown keys {set(flow)}")  # `on` is a YAML boolean
    expect(flow.get(True) and flow.get("jobs"), f"{path}: no `on` or no jobs")
    names = re.findall(r"\$\{\{(.*?)\}\}", text)
    expect(text.count("${{") == len(names), f"{path}: an expression is not closed")
    for name in names:
        expect(name.strip().split(".")[0] in CONTEXTS, f"{path}: unknown context in '{name}'")
    for job, body in flow["jobs"].items():
        expect("runs-on" in body and body.get("steps"), f"{path}: job {job} has no runner or no steps")
        for key in re.findall(r"matrix\.(\w+)", text):
            matrix = body["strategy"]["matrix"]
            expect(key in matrix or any(key in more for more in matrix["include"]), f"{path}: no matrix.{key}")
        for step in body["steps"]:
            expect(("run" in step) != ("uses" in step), f"{path}: a step needs `run` or `uses`: {step}")
            expect(set(step) <= {"name", "if", "run", "uses", "with", "env"}, f"{path}: unknown key in {step}")
            expect(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")), f"{path}: {step.get('uses')}")
            done = subprocess.run(["sh", "-n"], input=step.get("run", ""), text=True, check=False)
            expect(done.returncode == 0, f"{path}: {step['run'] if done.returncode else ''}")
    return flow


def run_job(flow, folder, rows):
    """The names of the failing steps, and what all steps printed; ecube is `PROGRAM`."""
    (folder / "ecube" / "rows.txt").write_text(rows, encoding="utf-8")
    env = {**os.environ, **flow["env"], "ECUBE_CACHE": str(folder / "cache")}
    env["PATH"] = f"{PROGRAM.parent}:{env['PATH']}"
    failed, printed = [], ""
    for step in flow["jobs"]["router"]["steps"]:
        if "run" not in step or step["name"] == "Install ecube" or (failed and step.get("if") != "always()"):
            continue
        done = subprocess.run(["sh", "-e", "-c", step["run"]], cwd=folder, env=env, check=False, text=True, capture_output=True)
        printed += done.stdout + done.stderr
        print(f"-- {step['name']}: status {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
        if done.returncode != 0:
            failed.append(step["name"])
    return failed, printed


def junit_failures(folder):
    return [f.get("message") for f in xml.etree.ElementTree.parse(folder / "regress.xml").iter("failure")]


def main():
    matrix = check(SOURCE / ".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    expect(len(matrix["debian"]) * len(matrix["cc"]) == 6, "ci.yml: expected three systems and two compilers")
    job = SOURCE / "docs/guide/router-job.yml"
    flow = check(job)
    page = (SOURCE / "docs/guide/ROUTER-JOB.md").read_text(encoding="utf-8")
    rows = re.search(r"```\n(.*?)```", page, re.S).group(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        routers = SOURCE / "harness/library/example/routers"
        shutil.copytree(routers / "handshake", folder / "ecube")
        shutil.copytree(routers / "cells", folder / "cells")
        expect(run_job(flow, folder, rows)[0] == [], "the job fails on the router of the guide")
        expect((folder / "coverage/coverage.info").exists(), "no coverage")
        shutil.rmtree(folder / "cache")
        failed, printed = run_job(flow, folder, rows.replace("latency<=18", "latency<=3"))
        expect(failed == ["Run the rows within their limits", "Measure the coverage"], "a limit is not kept")
        expect("building router shape" not in printed, "the routers of the last job are compiled again")
        expect([m for m in junit_failures(folder) if "expected a latency of at most 3" in m], "JUnit has no limit")
        router = folder / "ecube/hs_router.sv"
        right = router.read_text(encoding="utf-8")
        wrong = right.replace("x > my_x ? 3'd0", "y > my_y ? 3'd2 : x > my_x ? 3'd0")
        expect(wrong != right, f"{router}: no line for the route")
        router.write_text(wrong, encoding="utf-8")
        failed, printed = run_job(flow, folder, rows)
        expect("Check the contract" in failed and "wrong turn" in printed, "a wrong turn is not found")
    print("PASS")


main()

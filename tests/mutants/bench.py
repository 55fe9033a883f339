# SPDX-License-Identifier: Apache-2.0
"""Compiles all mutants once, links every judge once, and runs judges. The build is only read: everything is written into
a folder of its own.

A judge is a list of words: a test program of the build with its arguments, `ecube` with its arguments (which must
succeed), or a script with its arguments. `MUTANT_CHOSEN` in its environment chooses the mutant (schema.py)."""
import hashlib
import json
import math
import os
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import schema

SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# What is no C is an error; -w would silence that, too. Other warnings are left alone.
STRICT = ["-fdiagnostics-color=never", "-Wno-error", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
          "-Werror=implicit-function-declaration"]
WAITED = 600  # a judge may take so many times its limit of processor time: the machine may be busy
ASLEEP, STIRS = 10, 5  # seconds in which a stuck judge uses so many ticks at most: threads that wait for others look again
LIBRARY = "harness/libecube.a"
FAILED = re.compile(rb"^(not ok\b|\[  FAILED  \])", re.M)  # a test of a judge has failed; the others need not end


def processor_time():
    """Of the children that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digest(*parts):
    one = hashlib.sha256()
    for part in parts:
        one.update(part if isinstance(part, bytes) else str(part).encode())
        one.update(b"\0")
    return one.hexdigest()[:16]


def pulse(session):
    """(processor time of all processes of a session in ticks, does one of them run?)"""
    ticks, runs = 0, False
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
            runs |= fields[0] in "RD"
    return ticks, runs


class Bench:
    """The private copy of the build."""

    def __init__(self, source, build, libdir, work, judges, sanitize):
        """With `sanitize`, the files of the mutants and all others of their folders are compiled with sanitizers."""
        self.options = ["-O1", "-g0", *(SANITIZE if sanitize else [])]
        self.linking = SANITIZE if sanitize else []
        self.sanitize = sanitize
        self.source, self.build, self.libdir, self.work, self.judges = source, build, libdir, work, judges
        commands = json.loads((build / "compile_commands.json").read_text())
        self.entries = {}
        for entry in commands:
            if entry["output"].startswith(LIBRARY + ".p/"):
                file = (build / entry["file"]).resolve()
                self.entries[str(file.relative_to(source) if file.is_relative_to(source) else file)] = entry
        self.numbers, self.points, self.broken = {}, {}, set()  # number and point of a mutant by its key
        self.seconds, self.reached = {}, {}  # of each judge, by its name
        self.sound, self.owns = {}, {}
        self.program = work / "tree" / "bin" / "ecube"
        self.environment = dict(
            os.environ,
            ECUBE_CACHE=str(work / "cache"),
            ECUBE_DATA=str(source),
            TEST_SHARED_CACHE=str(work / "cache"),
            TEST_SOURCE_ROOT=str(source),
            TEST_KEPT_CACHE=str(work / "kept"),
            TMPDIR=str(work / "tmp"),
            LD_LIBRARY_PATH=str(build / "model/systemc"),
            ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1:hard_rss_limit_mb=3000:max_malloc_fill_size=4096",
            MALLOC_PERTURB_="165",
        )

    def prepare(self, cases):
        """Compile and link all that judges these mutants, and let every judge pass without a mutant."""
        self.folders()
        objects = self.compile_mutants(cases)
        if self.sanitize:
            objects |= self.compile_neighbours(set(objects))
        archive = self.work / "libecube.a"
        archive.unlink(missing_ok=True)
        members = [objects.get(file, self.build / entry["output"]) for file, entry in self.entries.items()]
        subprocess.run(["ar", "crsT", archive, *members, self.work / "selector.o"], check=True)
        self.objects = digest(*(path.read_bytes() for path in members))
        self.link_all()
        self.state = digest(*(self.stamp(judge) + " ".join(judge) for judge in self.judges))
        self.baseline()

    def folders(self):
        work = self.work
        for folder in ("kept", "tmp", "library", "judges", "tree/bin", "tree/share", f"tree/{self.libdir}/ecube",
                       "tree/harness/program", "tree/model/systemc"):
            (work / folder).mkdir(parents=True, exist_ok=True)
        if not (work / "cache").exists():
            subprocess.run(["cp", "-al", self.build / "tile-cache", work / "cache"], check=True)
        module = self.build / "model/systemc/systemc-backend.so"
        for at, target in (("tree/share/ecube", self.source), (f"tree/{self.libdir}/ecube/systemc-backend.so", module),
                           ("tree/model/systemc/systemc-backend.so", module), ("tree/harness/program/ecube", self.program)):
            if not (work / at).is_symlink():
                (work / at).symlink_to(target)

    def compile(self, file, result, options, code):
        """What the compiler complains about; None: nothing. The text of the file is `code`."""
        entry = self.entries[file]
        words = shlex.split(entry["command"])
        words = words[words.index("cc") if "cc" in words else 0:words.index("-MD")]
        copy = self.work / "changed" / Path(file).name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(code)
        words += ["-iquote", str((self.source / file).parent), *STRICT, *options, "-o", str(result), "-c", str(copy)]
        told = subprocess.run(words, cwd=self.build, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        return told.stderr if told.returncode else None

    def fresh(self, name, file, code, after=None):
        """An object, compiled only if it is not there. Returns it and what was complained about."""
        build = (self.build / self.entries[file]["output"]).read_bytes()  # stands for the headers
        result = self.work / "library" / f"{name}-{digest(code, build, *self.options)}.o"
        complaint = None
        if not result.exists():
            complaint = self.compile(file, self.work / "new.o", self.options, code)
            if not complaint:
                (self.work / "new.o").rename(result)
        return result, complaint

    def compile_mutants(self, cases):
        """{file: object with all its mutants}; those that do not compile are left out."""
        objects, number = {}, 1
        for file in sorted({case.file for case in cases}):
            text = (self.source / file).read_text()
            mine = sorted((c for c in cases if c.file == file), key=lambda c: (c.mutant.start, c.mutant.text))
            known = self.work / "library" / f"{Path(file).stem}-{digest(text, *(c.key for c in mine))}.broken"
            broken = set(known.read_text().split()) if known.exists() else set()
            while True:
                left = [c for c in mine if c.key not in broken]
                code, points = schema.combined(text, [c.mutant for c in left], number)
                result, complaint = self.fresh(Path(file).stem, file, code)
                if complaint is None:
                    break
                wrong = {left[int(k)].key for k in re.findall(r'^mutant (\d+):\d+:\d+: error', complaint, re.M)}
                if not wrong:
                    raise SystemExit(f"{file} cannot be compiled:\n{complaint}")
                broken |= wrong
            known.write_text("\n".join(sorted(broken)))
            objects[file] = result
            self.broken |= broken
            for k, case in enumerate(left):
                self.numbers[case.key], self.points[case.key] = number + k, points[k]
            number += len(left)
        self.size = number
        text = schema.SELECTOR.replace("SIZE", str(number))
        (self.work / "selector.c").write_text(text)
        subprocess.run(["cc", "-O1", "-fPIC", "-c", "selector.c", "-o", "selector.o"], cwd=self.work, check=True)
        return objects

    def compile_neighbours(self, files):
        """{file: sanitized object} of the other files in the same folders: they use what the mutants spoil."""
        folders = {str(Path(file).parent) for file in files}
        objects = {}
        for file in self.entries:
            if file not in files and str(Path(file).parent) in folders:
                objects[file], complaint = self.fresh(Path(file).stem, file, (self.source / file).read_text())
                if complaint:
                    raise SystemExit(f"{file} cannot be compiled:\n{complaint}")
        return objects

    def link_all(self):
        for name in sorted({judge[0] if judge[0].startswith("tests/") else "ecube" for judge in self.judges}):
            own = name.startswith("tests/")
            binary = self.work / "judges" / Path(name).name if own else self.program
            linked, stamp = self.work / "judges" / f"{Path(name).name}.stamp", self.stamp([name])
            if not linked.exists() or linked.read_text() != stamp:
                self.link(name if own else "harness/program/ecube", binary)
                linked.write_text(stamp)

    def own(self, judge):
        """Changes with the program of a judge, but not with the library."""
        own = self.build / (judge[0] + ".p" if judge[0].startswith("tests/") else "harness/program/ecube.p")
        if judge[0] not in self.owns:
            self.owns[judge[0]] = digest(self.sanitize, *(p.read_bytes() for p in sorted(own.glob("*.o"))))
        return self.owns[judge[0]]

    def stamp(self, judge):
        """Changes with all that a judge is linked from."""
        return digest(self.objects, self.own(judge))

    def link(self, target, result):
        told = subprocess.run(["ninja", "-t", "commands", target], cwd=self.build, capture_output=True, text=True,
                              check=True)
        words = shlex.split(told.stdout.splitlines()[-1])
        words = [str(self.work / "libecube.a") if w == LIBRARY else w for w in words]
        words[words.index("-o") + 1] = str(result)
        if subprocess.run(words + self.linking, cwd=self.build, check=False).returncode:
            raise SystemExit(f"{target} cannot be linked")

    def words(self, judge):
        told = {"PROGRAM": self.program, "SOURCE": self.source, "BUILD": self.work / "tree", "LIBDIR": self.libdir}
        name, *arguments = [re.sub("|".join(told), lambda m: str(told[m.group()]), word) for word in judge]
        if name.startswith("tests/"):
            return [str(self.work / "judges" / Path(name).name), *arguments]
        return [str(self.program), *arguments] if name == "ecube" else ["bash", name, *arguments]

    def run(self, judge, limit, **environment):
        """(status, processor time, output) of a judge; the status is None if it took too long or does nothing."""
        def confine():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        before = processor_time()
        child = subprocess.Popen(self.words(judge), cwd=self.work / "tmp", env=dict(self.environment, **environment),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 start_new_session=True, preexec_fn=confine)
        try:
            status, output = self.watch(child, limit)
        finally:  # also when this process is ended
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            child.stdout.close()
        shutil.rmtree(self.work / "tmp", ignore_errors=True)
        (self.work / "tmp").mkdir(exist_ok=True)
        if status == -signal.SIGKILL:  # the limit of processor time sends SIGXCPU
            raise SystemExit(f"'{' '.join(judge)}' was killed from outside; start again to go on")
        return status, processor_time() - before, output

    @staticmethod
    def watch(child, limit):
        """(status, output): until it ends, or a test fails, or it is stuck."""
        started = stirred = time.monotonic()
        output, ticks = b"", -STIRS - 1
        os.set_blocking(child.stdout.fileno(), False)
        while True:
            ended = child.poll() is not None
            ready, _, _ = select.select([child.stdout], [], [], 0 if ended else 0.05)
            data = child.stdout.read() if ready else None
            if data:
                output = output[-1 << 16:] + data
                if FAILED.search(output):
                    return 1, output
            elif ended:
                return child.returncode, output
            elif ready:
                time.sleep(0.01)  # it has closed its output
            now = time.monotonic()
            if now - stirred > ASLEEP:
                used, runs = pulse(child.pid)
                if used - ticks <= STIRS and not runs:
                    return None, output
                ticks, stirred = used, now
            if now - started > WAITED * limit:
                return None, output

    def baseline(self):
        """Every judge must pass without a mutant; notes its time and what it reaches."""
        told = self.work / f"baseline-{self.objects}.json"
        known = json.loads(told.read_text()) if told.exists() else {}
        file = self.work / "reached"
        for judge in self.judges:
            name = " ".join(judge)
            stamp = self.stamp(judge)
            if known.get(name, {}).get("stamp") != stamp:
                file.write_bytes(bytes(self.size))
                status, spent, output = self.run(judge, 600, MUTANT_REACHED=str(file))
                if status != 0:
                    raise SystemExit(output.decode(errors="replace")[-2000:]
                                     + f"\nwithout a mutant, '{name}' ends with {status}")
                known[name] = {"stamp": stamp, "seconds": spent,
                               "reached": [k for k, byte in enumerate(file.read_bytes()) if byte]}
                told.write_text(json.dumps(known))
            self.seconds[name], self.reached[name] = known[name]["seconds"], set(known[name]["reached"])

    def able(self, case):
        """The judges that reach the statement of a mutant."""
        return [judge for judge in self.judges if self.points[case.key] in self.reached[" ".join(judge)]]

    def kills(self, judge, case):
        seconds = self.seconds[" ".join(judge)]
        status, spent, _ = self.run(judge, math.ceil(5 * seconds) + 1, MUTANT_CHOSEN=str(self.numbers[case.key]))
        return status != 0, spent

    def same(self, case):
        """Does the compiler make the same object of it?"""
        results = []
        for code in (case.original, case.code):
            key = digest(case.file, code)
            if key not in self.sound:
                self.compile(case.file, self.work / "compared.o", ["-O2", "-g0"], code)
                found = (self.work / "compared.o").read_bytes()
                if code != case.original:
                    results.append(found)
                    continue
                self.sound[key] = found
            results.append(self.sound[key])
        return results[0] == results[1]

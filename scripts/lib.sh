# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by scripts/run and scripts/test: find missing packages, install them if possible, configure and compile.
# Sourced, never run. Needs bash and coreutils only.
# Exit status as everywhere in ecube: 5 = a tool is missing.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
build=${ECUBE_BUILD:-$root/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac

# Without a locale, Meson and the pictures of the program would fall back to ASCII.
if [ -z "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ]; then
    export LC_ALL=C.UTF-8
fi

# Keep compiled router shapes in the build folder, not in the user's home folder.
export ECUBE_CACHE=${ECUBE_CACHE:-$build/tile-cache}

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$(basename -- "$0"): $1"
    exit "${2:-1}"
}

# shellcheck disable=SC2034
# Requirements: test command, Debian package, purpose.
needs_run='
cc            gcc             compiles the program
c++           g++             compiles router shapes
meson         meson           configures the build
ninja         ninja-build     runs the build
pkg-config    pkgconf         finds libraries
lib:jansson   libjansson-dev  reads and writes JSON
lib:libxxhash libxxhash-dev   hashes sources and deliveries
lib:zlib      zlib1g-dev      compresses waves
verilator     verilator       compiles RTL
'
# shellcheck disable=SC2034
needs_test='
lib:systemc   libsystemc-dev  simulates the SystemC model
lib:cmocka    libcmocka-dev   runs unit tests
lib:ompi-c    libopenmpi-dev  compiles the module for Open MPI
lib:mpich     libmpich-dev    compiles the module for MPICH
mpirun.openmpi openmpi-bin    starts ranks
mpirun.mpich  mpich           starts ranks
iverilog      iverilog        runs the benches of the leaf cells
yosys         yosys           synthesises the router, checks the Moore rule, reads it for proofs
yosys-abc     yosys           proves properties of routers
file:/usr/include/ccadical.h libcadical-dev judges surviving mutants, proves by induction
jq            jq              reads JSON results
fst2vcd       gtkwave         reads waves
mandoc        mandoc          checks the manual page
gnuplot       gnuplot-nox     draws the plots of sweeps and of docs/RESULTS.md
file:/usr/share/nodejs/d3/dist/d3.min.js node-d3 draws in the pages of reports
chromium      chromium        shows the pages of reports
chromedriver  chromium-driver drives the browser
python3       python3         runs the tests of the pages and the Python package
'
# shellcheck disable=SC2034
needs_lint='
clang-format-14 clang-format-14 checks the format of C and C++
clang-tidy      clang-tidy      checks C
cppcheck        cppcheck        checks C
shellcheck      shellcheck      checks shell scripts
codespell       codespell       finds misspellings
git             git             lists the files of the project
'

# The C library's headers come with g++ (gcc alone only recommends them).
have() {
    case $1 in
    lib:*) pkg-config --exists "${1#lib:}" 2>/dev/null ;;
    file:*) [ -f "${1#file:}" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# Sets `packages`, and prints one line for each with the reason; false if nothing is missing.
list_missing() {
    local test package reason
    packages=()
    while read -r test package reason; do
        if [ -n "$test" ] && ! have "$test"; then
            packages+=("$package")
            say "  $(printf '%-16s' "$package") $reason"
        fi
    done <<<"$1"
    [ "${#packages[@]}" -gt 0 ]
}

# install_missing NEEDS [LINT]: install all of NEEDS, or end the script with status 5. The tools of LINT are installed
# if possible; if not, a test of the suite lint reports it.
install_missing() {
    local apt=(apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120) log package required available=()
    list_missing "$1" 2>/dev/null || :
    required=${packages[*]}
    list_missing "$1${2:-}" || return 0
    say "These packages are missing."
    if ! command -v apt-get >/dev/null 2>&1; then
        [ -n "$required" ] || return 0
        die "no apt-get on this system: install what Debian calls ${packages[*]}" 5
    fi
    if [ "$(id -u)" -ne 0 ]; then
        [ -n "$required" ] || return 0
        die "not root; run as root: apt-get install --no-install-recommends ${packages[*]}" 5
    fi
    say "Installing them ..."
    export DEBIAN_FRONTEND=noninteractive
    if ! log=$("${apt[@]}" update </dev/null 2>&1); then
        say "$log"
        die "apt-get update failed" 5
    fi
    for package in "${packages[@]}"; do
        if [[ ${2:-} != *" $package "* ]] || apt-cache show "$package" >/dev/null 2>&1; then
            available+=("$package")
        else
            say "  $package is not in this release of the system"
        fi
    done
    if ! log=$("${apt[@]}" install -y --no-install-recommends "${available[@]}" </dev/null 2>&1); then
        say "$log"
        die "apt-get install ${available[*]} failed" 5
    fi
    hash -r
    if list_missing "$1"; then
        die "still missing after the installation: ${packages[*]}" 5
    fi
}

# configure [MESON OPTION ...]: recreates a build folder of another Meson version.
configure() {
    local info=$build/meson-info/meson-info.json log wipe=()
    if [ -f "$info" ]; then
        grep -qF "\"source\": \"$root\"" "$info" ||
            die "$build was made from another source tree: remove it, or set ECUBE_BUILD"
        meson configure "$build" "$@" >/dev/null 2>&1 && return
        wipe=(--wipe)
    fi
    log=$(meson setup "${wipe[@]}" "$@" "$build" "$root" 2>&1) && return
    say "$log"
    die "configuring $build failed"
}

jobs() { nproc 2>/dev/null || echo 1; }

# compile [TARGET ...]: quiet unless it fails.
compile() {
    local log
    say "Compiling in $build ..."
    log=$(ninja -C "$build" -j "$(jobs)" "$@" 2>&1) && return
    say "$log"
    die "compiling failed"
}

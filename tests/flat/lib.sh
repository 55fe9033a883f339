# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the tests of the flat network: a topology's text as parameters of rtl/ec_network.sv.
set -eu
export LC_ALL=C

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/ecube-flat.XXXXXX")
trap 'rm -rf "$work"' EXIT

# network TOPOLOGY ROUTER: sets radices (a list), dims, links_per_dim, wraps, nodes, locals, vcs and
# parameters, "Name=value" each. Computed independently of the program. Depths: at most 4.
network() {
    local kind=${1%%:*} sizes=${1#*:} d hex='' dynamic=0 stages=1 link=1
    case $kind in
    cube) radices=$(yes 2 | head -n "$sizes" | xargs) links_per_dim=1 ;;
    *) radices=${sizes//x/ } links_per_dim=2 ;;
    esac
    dims=$(wc -w <<<"$radices") nodes=1 wraps=0 vcs=1 locals=1
    for d in $radices; do
        nodes=$((nodes * d))
        hex=$(printf '%08x' "$d")$hex
    done
    case $kind in ring | torus) wraps=$(((1 << dims) - 1)) ;; esac
    [[ $2 =~ vcs=([0-9]) ]] && vcs=${BASH_REMATCH[1]}
    [[ $2 == *ports=all* ]] && locals=$((dims * links_per_dim))
    [[ $2 == *va=dynamic* ]] && dynamic=1
    [[ $2 =~ stages=([0-9]) ]] && stages=${BASH_REMATCH[1]}
    [[ $2 =~ link=([0-9]+) ]] && link=${BASH_REMATCH[1]}
    # shellcheck disable=SC2034 # for those who source this
    parameters="Dims=$dims LinksPerDim=$links_per_dim Radices=$((32 * dims))'h$hex
        Wraps=$dims'd$wraps Nodes=$nodes Locals=$locals Vcs=$vcs DepthMax=4
        Dynamic=$dynamic Stages=$stages Link=$link"
}

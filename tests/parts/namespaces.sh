#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ranks on two hosts: namespaces of the network, joined by TCP with an added delay. Only root can make them.
#
#   namespaces.sh PROGRAM
. "$(dirname "$0")/../cli/lib.sh"
touch out err
if ! ip netns add "ecube$$" 2>/dev/null || ! ip netns del "ecube$$"; then
    echo '1..0 # SKIP only root can make namespaces of the network'
    exit 0
fi
hosts=("ecube$$-a" "ecube$$-b")

remove()
{
    local host
    for host in "${hosts[@]}"; do
        ip netns del "$host"
        rm -rf "/etc/netns/$host"
    done 2>/dev/null
    rm -rf "$work"
}
trap remove EXIT

for k in 0 1; do
    ip netns add "${hosts[k]}"
    mkdir -p "/etc/netns/${hosts[k]}"
    printf '10.99.0.%s %s\n' 1 "${hosts[0]}" 2 "${hosts[1]}" | cat /etc/hosts - >"/etc/netns/${hosts[k]}/hosts"
done
ip link add veth0 netns "${hosts[0]}" type veth peer name veth1 netns "${hosts[1]}"
for k in 0 1; do
    ip -n "${hosts[k]}" addr add "10.99.0.$((k + 1))/24" dev veth$k
    ip -n "${hosts[k]}" link set veth$k up
    ip -n "${hosts[k]}" link set lo up
done

# What a launcher takes for ssh: agent [OPTION...] HOST COMMAND...
cat >agent <<'END'
#!/bin/bash
while [[ $1 == -* ]]; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
END
chmod +x agent

# ranks COMMAND...: on the first host.
ranks()
{
    timeout 120 "$work/agent" "${hosts[0]}" "$*" >out 2>err
    status=$?
}

figures='del(.seconds, .cpu_seconds, .peak_rss_bytes, .router_cycles_per_second, .parts, .threads, .ranks)'

# on_two_hosts MPI DELAY COMMAND...
on_two_hosts()
{
    local mpi=$1 delay=$2 words
    shift 2
    for words in 'cube:5 uniform:rate=0.3,m=4 --cycles 500' 'torus:6x6 transpose:m=16 --router vcs=2' \
        'mesh:4x4 uniform:rate=0.2,m=4 --router link=3 --cycles 500'; do
        # shellcheck disable=SC2086 # words
        "$ecube" run $words --format json >one
        ranks "$* $ecube run $words --format json"
        equal "$mpi: exit status" 0 "$status"
        equal "$mpi over TCP, delay $delay: $words ($(jq .seconds out) s)" "$(jq -S "$figures" one)" "$(jq -S "$figures" out)"
    done
}

openmpi="mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent $work/agent --mca pml ob1 --mca btl tcp,self \
--host ${hosts[0]},${hosts[1]} -x ECUBE_CACHE -n 2"
mpich="env UCX_TLS=tcp,self mpirun.mpich -launcher ssh -launcher-exec $work/agent -hosts ${hosts[0]},${hosts[1]} -n 2"
for delay in 0 1ms 20ms; do
    # Some kernels have no netem.
    if [[ $delay != 0 ]] && ! ip netns exec "${hosts[1]}" tc qdisc replace dev veth1 root netem delay $delay 2>/dev/null; then
        echo '# no netem: no delays'
        break
    fi
    on_two_hosts 'Open MPI' $delay "$openmpi"
    on_two_hosts MPICH $delay "$mpich"
done
done_testing

#!/usr/bin/env bash
# A real Slurm of one node on the loopback, for as long as this runs: an array with `--shard auto`, of which a task is requeued as it
# runs, and srun give the bytes of one process. Ends with 77 and the reason where there is no Slurm.
# Usage: slurm.sh VERNIER FOLDER
set -euo pipefail
vernier=$1 folder=$2
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch srun scontrol; do
  command -v $program >/dev/null || { echo "skipped: there is no $program (Debian: slurm-wlm, munge)"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# Sockets have short names, and munged wants a folder of its own.
etc=$(mktemp -d /tmp/slurm-XXXXXX)
chmod 755 "$etc"
daemons=()
trap 'kill "${daemons[@]}" 2>/dev/null || true; wait; rm -rf "$etc"' EXIT
host=$(hostname -s) user=$(id -un) port=$((20000 + $$ % 20000))
mkdir "$etc/controller" "$etc/node"
cat >"$etc/slurm.conf" <<END
ClusterName=vernier
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$etc/munge.socket
StateSaveLocation=$etc/controller
SlurmdSpoolDir=$etc/node
SlurmctldPidFile=$etc/slurmctld.pid
SlurmdPidFile=$etc/slurmd.pid
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES
END
export SLURM_CONF=$etc/slurm.conf
(umask 077 && head -c 1024 /dev/urandom >"$etc/munge.key")
munged --foreground --key-file="$etc/munge.key" --socket="$etc/munge.socket" --pid-file="$etc/munged.pid" \
  --log-file="$etc/munged.log" --seed-file="$etc/munged.seed" >munged.log 2>&1 &
daemons+=($!)
while [ ! -S "$etc/munge.socket" ]; do kill -0 ${daemons[0]}; sleep 0.1; done
slurmctld -D -i >controller.log 2>&1 &
daemons+=($!)
slurmd -D -N "$host" >node.log 2>&1 &
daemons+=($!)
until sinfo -h -o %T 2>/dev/null | grep -q idle; do kill -0 "${daemons[@]}"; sleep 0.2; done

of=(sweep --model llama-2-7b-hf --recipe float32-pow --positions "0:2^21" --threads 1 -q)
"$vernier" "${of[@]}" >one.txt
cat >sweep.sh <<END
#!/bin/bash
#SBATCH --array=0-2 --requeue --open-mode=append
exec "$vernier" ${of[*]} --shard auto --state state
END
job=$(sbatch --parsable sweep.sh)
while [ ! -e state/shard-1-of-3.json ]; do sleep 0.02; done
scontrol requeue "${job}_0"  # ends it with SIGTERM
while squeue -h -j "$job" 2>/dev/null | grep -q .; do
  scontrol update JobId="$job" StartTime=now 2>/dev/null || true  # else what is requeued waits for two minutes
  sleep 0.2
done
grep "interrupted; .* are saved" "slurm-${job}_0.out"
"$vernier" merge state >array.txt
cmp one.txt array.txt

srun -n 2 "$vernier" "${of[@]}" --shard auto --state steps
"$vernier" merge steps >steps.txt
cmp one.txt steps.txt

#!/usr/bin/env bash
# The bytes of one process come from four ranks, and from ranks of which one is killed, once started again.
# Usage: same_bytes.sh VERNIER VERNIER_MPI MPIEXEC FOLDER
set -euo pipefail
vernier=$1 mpi=$2 mpiexec=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
of=(sweep --model llama-2-7b-hf --recipe float32-pow --positions "0:2^18:7" --threads 1 -q)

"$vernier" "${of[@]}" >one.txt
"$mpiexec" -n 4 "$mpi" "${of[@]}" >four.txt
cmp one.txt four.txt

# A rank is killed as soon as something is saved.
"$mpiexec" -n 4 "$mpi" "${of[@]}" --state state >killed.txt 2>killed.err &
job=$!
while kill -0 $job 2>/dev/null && [ ! -e state/shard-1-of-1.json ]; do sleep 0.01; done
victim=$(pgrep -P $job | tail -1 || true)
[ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || true
if wait $job; then echo "note: the job ended before its rank was killed"; fi
"$mpiexec" -n 3 "$mpi" "${of[@]}" --state state >again.txt
cmp one.txt again.txt
"$vernier" merge state >merged.txt
cmp one.txt merged.txt

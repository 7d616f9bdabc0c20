#!/usr/bin/env bash
# The bytes of one process come from four ranks, and from ranks of which one is killed, once started again.
# Usage: same_bytes.sh VERNIER VERNIER_MPI MPIEXEC FOLDER
set -euo pipefail
vernier=$1 mpi=$2 mpiexec=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
of=(sweep --model llama-2-7b-hf --recipe float32-pow --positions "0:2^21" --threads 1 -q)

"$vernier" "${of[@]}" >one.txt
"$mpiexec" -n 4 "$mpi" "${of[@]}" >four.txt
cmp one.txt four.txt

# A rank is killed as soon as something is saved: the last one, a grandchild of MPICH's mpiexec.
"$mpiexec" -n 4 "$mpi" "${of[@]}" --state state >killed.txt 2>killed.err &
job=$!
while kill -0 $job 2>/dev/null && [ ! -e state/shard-1-of-1.json ]; do sleep 0.01; done
victim=$job
while child=$(pgrep -P $victim | tail -1) && [ -n "$child" ]; do victim=$child; done
kill -9 "$victim"
if wait $job; then echo "the job ended well although a rank was killed" >&2; exit 1; fi
"$vernier" merge state >partial.txt 2>&1 && code=0 || code=$?
[ $code = 4 ] || { echo "what was killed is merged with exit code $code, expected 4" >&2; exit 1; }
"$mpiexec" -n 3 "$mpi" "${of[@]}" --state state >again.txt
cmp one.txt again.txt
"$vernier" merge state >merged.txt
cmp one.txt merged.txt

// Judges a float32 rotary embedding by Vernier's test vectors. Needs Go's standard library alone.
// go run run.go FOLDER      Exit code: 0 if every budget is kept, 1 if not.
// Put your own code in place of `table`.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

const pairs, key = 32, "float32@float32" // of the group rope-half: head_dim 64, base 10000

// A row of cosines or sines, by the textbook: every result is rounded to float32.
func table(role string, position int64) (row [pairs]float32) {
	trig := map[string]func(float64) float64{"cos": math.Cos, "sin": math.Sin}[role]
	for i := range row {
		frequency := 1 / float32(math.Pow(10000, float64(2*i)/(2*pairs)))
		row[i] = float32(trig(float64(float32(position) * frequency)))
	}
	return
}

func check(err error) {
	if err != nil {
		panic(err) // with exit code 2
	}
}

func main() {
	folder := append(os.Args, ".")[1]
	bytes, err := os.ReadFile(folder + "/vectors.safetensors")
	check(err)
	start := 8 + binary.LittleEndian.Uint64(bytes)
	var entries map[string]struct{ Data_offsets [2]uint64 }
	check(json.Unmarshal(bytes[8:start], &entries))
	tensor := func(name string) []byte {
		offsets := entries["rope-half/"+name].Data_offsets
		return bytes[start+offsets[0] : start+offsets[1]]
	}
	failures, judged, positions := 0, 0, tensor("positions")
	for _, role := range []string{"cos", "sin"} {
		truths, budgets := tensor(role+"/float64"), tensor(role+"/budget/"+key)
		for at := 0; at < len(truths)/8; at, judged = at+1, judged+1 {
			position := int64(binary.LittleEndian.Uint64(positions[at/pairs*8:]))
			truth := math.Float64frombits(binary.LittleEndian.Uint64(truths[8*at:]))
			// A bfloat16 number is the upper half of a float32.
			budget := math.Float32frombits(uint32(binary.LittleEndian.Uint16(budgets[2*at:])) << 16)
			if !(math.Abs(float64(table(role, position)[at%pairs])-truth) <= float64(budget)) { // a NaN is not
				failures++
			}
		}
	}
	fmt.Printf("%d of %d elements of rope-half are beyond their budgets of %s\n", failures, judged, key)
	if failures > 0 || judged == 0 {
		os.Exit(1)
	}
}

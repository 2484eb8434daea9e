// native.go - the bench of native stacks: goroutines on one thread, nanoseconds a step
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(1)
	steps := 0
	for i := 0; i < n; i++ {
		go func() {
			for {
				steps++
				runtime.Gosched()
			}
		}()
	}
	runtime.Gosched()
	steps = 0
	start := time.Now()
	for steps < 1000000 {
		runtime.Gosched()
	}
	fmt.Printf("%.2f\n", float64(time.Since(start).Nanoseconds())/float64(steps))
}

// loop.go - yields, timeouts, wakes and rockets in Go, like loop.c
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

func spent() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

func yield() float64 {
	const yielders, yields = 1000, 1000
	var all sync.WaitGroup
	start := spent()
	all.Add(yielders)
	for i := 0; i < yielders; i++ {
		go func() {
			for i := 0; i < yields; i++ {
				runtime.Gosched()
			}
			all.Done()
		}()
	}
	all.Wait()
	return (spent() - start) / (yielders * yields)
}

func timeout() float64 {
	const rearms = 10
	timers := make([]*time.Timer, 100000)
	for i := range timers {
		timers[i] = time.NewTimer(30 * time.Second)
	}
	start := spent()
	for i := 0; i < rearms; i++ {
		for _, timer := range timers {
			timer.Reset(30 * time.Second)
		}
	}
	return (spent() - start) / float64(rearms*len(timers))
}

// The sender's thread runs on the first core, the others on the core where the program was started.
func send(wake chan time.Time, woken *int32) {
	first := [16]uint64{1}
	runtime.LockOSThread()
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(first), uintptr(unsafe.Pointer(&first)))
	for i := int32(0); i < 1000; i++ {
		for atomic.LoadInt32(woken) != i {
			runtime.Gosched()
		}
		nap := syscall.Timespec{Nsec: 50000}
		syscall.Nanosleep(&nap, nil)
		wake <- time.Now()
	}
	close(wake)
}

func wake() float64 {
	var times []float64
	var woken int32
	sent := make(chan time.Time)
	runtime.GOMAXPROCS(2)
	go send(sent, &woken)
	for at := range sent {
		times = append(times, float64(time.Since(at)))
		atomic.AddInt32(&woken, 1)
	}
	sort.Float64s(times)
	return times[len(times)/2]
}

func rockets() float64 {
	const count = 10000
	var all sync.WaitGroup
	start := spent()
	all.Add(count)
	for i := 0; i < count; i++ {
		go func(i int) {
			time.Sleep(time.Duration(i*3090169%5000000) * time.Microsecond)
			for left := i % 5; left > 0; left-- {
				time.Sleep(time.Second)
			}
			all.Done()
		}(i)
	}
	all.Wait()
	return (spent() - start) / 1e6
}

func main() {
	runtime.GOMAXPROCS(1)
	fmt.Printf("%.2f\n", map[string]func() float64{
		"yield": yield, "timeout": timeout, "wake": wake, "rockets": rockets}[os.Args[1]]())
}

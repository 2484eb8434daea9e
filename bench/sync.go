// sync.go - the bench of synchronization: goroutines on one thread, nanoseconds a step
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const steps = 1000000

// hop: n pairs, a channel each
func hop(n int) {
	var done sync.WaitGroup
	for i := 0; i < n; i++ {
		channel := make(chan int)
		done.Add(1)
		go func() {
			for j := 0; j < steps/n; j++ {
				channel <- j
			}
		}()
		go func() {
			for j := 0; j < steps/n; j++ {
				<-channel
			}
			done.Done()
		}()
	}
	done.Wait()
}

// handoff: two goroutines pass a mutex back and forth
func handoff() {
	var lock sync.Mutex
	var done sync.WaitGroup
	for i := 0; i < 2; i++ {
		done.Add(1)
		go func() {
			for j := 0; j < steps/2; j++ {
				lock.Lock()
				runtime.Gosched()
				lock.Unlock()
			}
			done.Done()
		}()
	}
	done.Wait()
}

// choose: one goroutine feeds n channels in turn; another one selects
func choose(n int, ready bool) {
	var c [8]chan int
	capacity := 0
	if ready {
		capacity = 1
	}
	for i := range c {
		c[i] = make(chan int, capacity)
		if ready {
			c[i] <- i
		}
	}
	if !ready {
		go func() {
			for j := 0; ; j++ {
				c[j%n] <- j % n
			}
		}()
	}
	for j := 0; j < steps; j++ {
		i := 0
		if n == 2 {
			select {
			case i = <-c[0]:
			case i = <-c[1]:
			}
		} else {
			select {
			case i = <-c[0]:
			case i = <-c[1]:
			case i = <-c[2]:
			case i = <-c[3]:
			case i = <-c[4]:
			case i = <-c[5]:
			case i = <-c[6]:
			case i = <-c[7]:
			}
		}
		if ready {
			c[i] <- i
		}
	}
}

// cancel: n goroutines that sleep for some of 1,000 s are told to end, and end; nanoseconds a goroutine
func cancel(n int) float64 {
	var asleep, done sync.WaitGroup
	stop := make([]chan struct{}, n)
	asleep.Add(n)
	done.Add(n)
	for i := range stop {
		stop[i] = make(chan struct{})
		go func(stop chan struct{}, delay time.Duration) {
			timer := time.NewTimer(delay)
			asleep.Done()
			select {
			case <-timer.C:
			case <-stop:
				timer.Stop()
			}
			done.Done()
		}(stop[i], time.Second+time.Duration(i*7919%1000000)*time.Millisecond)
	}
	asleep.Wait()
	runtime.Gosched()
	start := now()
	for i := range stop {
		close(stop[i])
	}
	done.Wait()
	return float64(now()-start) / float64(n)
}

// now: the processor time of this program, in nanoseconds
func now() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	runtime.GOMAXPROCS(1)
	start := now()
	switch os.Args[1] {
	case "channel-hop":
		hop(n)
	case "lock-handoff":
		handoff()
	case "select":
		choose(n, false)
	case "select-ready":
		choose(n, true)
	case "cancel-sleeping":
		fmt.Printf("%.2f\n", cancel(n))
		return
	default:
		os.Exit(2)
	}
	fmt.Printf("%.2f\n", float64(now()-start)/steps)
}

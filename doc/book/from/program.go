// program.go - three workers, five jobs, in Go
// SPDX-License-Identifier: MIT

// - jobs
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var errFailed = errors.New("failed")

type job struct {
	name   string
	delay  time.Duration
	broken bool
}

var list = []job{
	{"logo", 100 * time.Millisecond, false},
	{"movie", 900 * time.Millisecond, false},
	{"news", 200 * time.Millisecond, true},
	{"map", 200 * time.Millisecond, false},
	{"mail", 900 * time.Millisecond, false},
}

// - fetch
func fetch(ctx context.Context, j job) error {
	defer fmt.Printf("%s: closed\n", j.name)
	select {
	case <-time.After(j.delay):
	case <-ctx.Done():
		return ctx.Err()
	}
	if j.broken {
		return errFailed
	}
	return nil
}

// - worker
func work(ctx context.Context, j job) {
	limit, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	err := fetch(limit, j)
	switch {
	case ctx.Err() != nil: // the office closes
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Printf("%s: too late\n", j.name)
	case errors.Is(err, errFailed):
		fmt.Printf("%s: failed\n", j.name)
	default:
		fmt.Printf("%s: done\n", j.name)
	}
}

func worker(ctx context.Context, jobs <-chan job) {
	for {
		select {
		case j := <-jobs:
			work(ctx, j)
		case <-ctx.Done():
			return
		}
	}
}

// - office
func office() {
	jobs := make(chan job, len(list))
	for _, j := range list {
		jobs <- j
	}
	ctx, cancel := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	for i := 0; i < 3; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			worker(ctx, jobs)
		}()
	}
	time.Sleep(600 * time.Millisecond)
	cancel()
	workers.Wait()
	fmt.Println("all workers have ended")
}

// - main
func main() {
	office()
}

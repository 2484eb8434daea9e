// api.go - the service of api.c in Go: Redis, PostgreSQL and another service at once for each request
// SPDX-License-Identifier: MIT
//
//	api CHAIN KEY ADDRESS REDIS_PORT DATABASE PRICES
package main

import (
	"context"
	"crypto/tls"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/gomodule/redigo/redis"
	_ "github.com/lib/pq"
)

var (
	db     *sql.DB
	cache  *redis.Pool
	prices string
	client http.Client
)

func views(ctx context.Context, id int) *int64 {
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	c, err := cache.GetContext(ctx)
	if err != nil {
		return nil
	}
	defer c.Close()
	n, err := redis.Int64(redis.DoWithTimeout(c, 100*time.Millisecond, "HINCRBY", "views", id, 1))
	if err != nil {
		return nil
	}
	return &n
}

func row(ctx context.Context, id int) (item json.RawMessage, err error) {
	err = db.QueryRowContext(ctx, "select to_json(items) from items where id = $1", id).Scan((*[]byte)(&item))
	return
}

func price(ctx context.Context, id int) (price float64, err error) {
	request, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/%d", prices, id), nil)
	if err != nil {
		return
	}
	reply, err := client.Do(request)
	if err != nil {
		return
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return 0, errors.New(reply.Status)
	}
	text, err := io.ReadAll(io.LimitReader(reply.Body, 32))
	if err != nil {
		return
	}
	return strconv.ParseFloat(string(text), 64)
}

type answer struct {
	Item  json.RawMessage `json:"item"`
	Price float64         `json:"price"`
	Views *int64          `json:"views"`
}

func item(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.URL.RawQuery)
	if err != nil || id < 0 {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 500*time.Millisecond)
	defer cancel()
	var (
		a                answer
		rowErr, priceErr error
		all              sync.WaitGroup
	)
	all.Add(3)
	go func() { defer all.Done(); a.Views = views(ctx, id) }()
	go func() { defer all.Done(); a.Item, rowErr = row(ctx, id) }()
	go func() { defer all.Done(); a.Price, priceErr = price(ctx, id) }()
	all.Wait()
	status := http.StatusOK
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		status = http.StatusGatewayTimeout
	case errors.Is(rowErr, sql.ErrNoRows):
		status = http.StatusNotFound
	case rowErr != nil || priceErr != nil:
		status = http.StatusBadGateway
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != http.StatusOK {
		fmt.Fprintf(w, "{\"error\":%d}\n", status)
		return
	}
	json.NewEncoder(w).Encode(a)
}

func main() {
	if len(os.Args) != 7 {
		fmt.Println("usage: api CHAIN KEY ADDRESS REDIS_PORT DATABASE PRICES")
		os.Exit(2)
	}
	prices = os.Args[6]
	cache = &redis.Pool{MaxIdle: 10, DialContext: func(ctx context.Context) (redis.Conn, error) {
		return redis.DialContext(ctx, "tcp", "127.0.0.1:"+os.Args[4])
	}}
	certificate, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	if err == nil {
		db, err = sql.Open("postgres", os.Args[5])
	}
	var listener net.Listener
	if err == nil {
		listener, err = net.Listen("tcp", os.Args[3])
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	db.SetMaxOpenConns(10)
	http.HandleFunc("/item", item)
	server := http.Server{TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 60 * time.Second}
	ended := make(chan struct{})
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
		<-signals
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		server.Shutdown(ctx)
		close(ended)
	}()
	fmt.Println("listening at", listener.Addr())
	if err := server.ServeTLS(listener, "", ""); err != http.ErrServerClosed {
		fmt.Println(err)
		os.Exit(1)
	}
	<-ended
}

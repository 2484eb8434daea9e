// echo.go - the echo server in Go, on one processor
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"net"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for {
		connection, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go func() {
			data := make([]byte, 64)
			for {
				n, err := connection.Read(data)
				if err != nil {
					connection.Close()
					return
				}
				connection.Write(data[:n])
			}
		}()
	}
}

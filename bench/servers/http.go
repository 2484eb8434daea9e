// http.go - the server of bench http on Go's net/http: http [CHAIN KEY]; prints its port
// SPDX-License-Identifier: MIT
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
)

func page(size int) http.HandlerFunc {
	data := make([]byte, size)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.Write(data)
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	http.Handle("/small", page(100))
	http.Handle("/large", page(64<<10))
	if len(os.Args) == 3 {
		panic(http.ServeTLS(listener, nil, os.Args[1], os.Args[2]))
	}
	panic(http.Serve(listener, nil))
}

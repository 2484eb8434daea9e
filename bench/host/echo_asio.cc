// echo_asio.cc - the echo server on Boost.Asio
// SPDX-License-Identifier: MIT
#include "listen.h"

#include <boost/asio.hpp>
#include <memory>

using boost::asio::ip::tcp;

struct connection : std::enable_shared_from_this<connection> {
    tcp::socket socket;
    char data[64];

    explicit connection(tcp::socket from) : socket(std::move(from))
    {
    }

    void read()
    {
        auto self = shared_from_this();
        socket.async_read_some(boost::asio::buffer(data),
                               [self](boost::system::error_code e, size_t n) {
                                   if (!e)
                                       self->write(n);
                               });
    }

    void write(size_t size)
    {
        auto self = shared_from_this();
        boost::asio::async_write(socket, boost::asio::buffer(data, size),
                                 [self](boost::system::error_code e, size_t) {
                                     if (!e)
                                         self->read();
                                 });
    }
};

static void accept(tcp::acceptor &acceptor)
{
    acceptor.async_accept([&acceptor](boost::system::error_code e, tcp::socket socket) {
        if (!e)
            std::make_shared<connection>(std::move(socket))->read();
        accept(acceptor);
    });
}

int main()
{
    boost::asio::io_context context(1);
    tcp::acceptor acceptor(context, tcp::v4(), bench_listen());

    accept(acceptor);
    context.run();
}

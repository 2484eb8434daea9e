-- native.lua - the bench of native stacks: Lua's coroutines, nanoseconds a step
-- SPDX-License-Identifier: MIT
local n = tonumber(arg[2])
local tasks = {}
for i = 1, n do
    tasks[i] = coroutine.wrap(function() while true do coroutine.yield() end end)
end
local rounds = 1000000 // n
local start = os.clock()
for _ = 1, rounds do
    for i = 1, n do tasks[i]() end
end
print(string.format("%.2f", (os.clock() - start) * 1e9 / (rounds * n)))

-- The lab's script for wrk: `wrk ... -s wrk.lua URL -- DEPTH CONNECTIONS [METHOD BYTES]` sends DEPTH requests at a time,
-- with so much content, and prints one line of JSON at the end, so that nothing has to be picked out of the text for
-- people.
--
-- wrk "corrects" its latencies: it takes the mean interval between the requests of a connection for a rate that was asked
-- for, and invents requests that had to wait whenever an answer took longer than two of them. Under pipelining hardly
-- anything else is left. In closed loop nothing was waiting, and what is measured must agree with Little's law: so
-- done() takes the invented ones out again, which works exactly, because wrk added them in order.

local ffi = require("ffi")
ffi.cdef("struct stats { uint64_t count, limit, min, max, data[]; };")  -- wrk 4.0 to 4.2, stats.h

local PARTS = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}

-- wrk formats its request once, after init. A `request` function of ours would be called for each batch instead.
function init(arguments)
    if arguments[3] then
        wrk.method, wrk.body = arguments[3], string.rep("x", tonumber(arguments[4]))
    end
    local batch = string.rep(wrk.format(), tonumber(arguments[1]))
    wrk.format = function() return batch end
    connections = tonumber(arguments[2])
end

-- init ran in the state of each thread, done() runs in wrk's own: it asks a thread.
local one_thread

function setup(thread)
    one_thread = thread
end

-- The counts as they were measured, by microseconds; nil where this wrk keeps them otherwise.
local function measured(summary, latency, connections)
    local stats = ffi.cast("struct stats **", latency)[0]
    if tonumber(stats.min) ~= latency.min or tonumber(stats.max) ~= latency.max then return nil end
    local slowest = latency.max
    local counts = ffi.new("double[?]", slowest + 1)
    for n = 0, slowest do counts[n] = tonumber(stats.data[n]) end
    local interval = math.floor(summary.duration / math.floor(summary.requests / connections))
    for n = slowest, 2 * interval, -1 do
        local count, m = counts[n], n - interval
        while count > 0 and m > interval do
            counts[m] = counts[m] - count
            if counts[m] < 0 then return nil end
            m = m - interval
        end
    end
    return counts, slowest
end

local function sums(counts, slowest)
    local number, total = 0, 0
    for n = 0, slowest do
        number, total = number + counts[n], total + n * counts[n]
    end
    return number, total
end

local function percentile(counts, slowest, rank)
    local passed = 0
    for n = 0, slowest do
        passed = passed + counts[n]
        if passed >= rank then return n end
    end
end

local function seconds(microseconds)
    return string.format("%.6f", microseconds / 1e6)
end

local function latencies(summary, latency)
    local connections = one_thread:get("connections")
    if summary.requests < connections or latency.max == 0 then return "{}" end
    local counts, slowest = measured(summary, latency, connections)
    if not counts then return "{}" end
    local number, total = sums(counts, slowest)
    local found = {string.format('"mean":%s', seconds(total / number)), string.format('"max":%s', seconds(slowest))}
    for _, part in ipairs(PARTS) do
        local value = percentile(counts, slowest, math.ceil(part[2] * number))
        found[#found + 1] = string.format('"%s":%s', part[1], seconds(value))
    end
    return "{" .. table.concat(found, ",") .. "}"
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format(
        'weir-lab {"requests":%d,"seconds":%s,"bytes":%d,' ..
            '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"latency":%s}',
        summary.requests, seconds(summary.duration), summary.bytes,
        errors.connect, errors.read, errors.write, errors.status, errors.timeout, latencies(summary, latency)))
end

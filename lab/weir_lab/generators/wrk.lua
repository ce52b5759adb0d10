-- The lab's script for wrk: `wrk ... -s wrk.lua URL -- DEPTH` sends DEPTH requests at a time, and prints one line of JSON
-- at the end, so that nothing has to be picked out of the text for people.

-- wrk formats its request once, after init. A `request` function of ours would be called for each batch instead.
function init(arguments)
    local batch = string.rep(wrk.format(), tonumber(arguments[1]) or 1)
    wrk.format = function() return batch end
end

-- wrk counts microseconds.
local function seconds(microseconds)
    return string.format("%.6f", microseconds / 1e6)
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format(
        'weir-lab {"requests":%d,"seconds":%s,"bytes":%d,' ..
            '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
            '"latency":{"mean":%s,"p50":%s,"p90":%s,"p99":%s,"p999":%s,"max":%s}}',
        summary.requests, seconds(summary.duration), summary.bytes,
        errors.connect, errors.read, errors.write, errors.status, errors.timeout,
        seconds(latency.mean), seconds(latency:percentile(50)), seconds(latency:percentile(90)),
        seconds(latency:percentile(99)), seconds(latency:percentile(99.9)), seconds(latency.max)))
end

-- Ranges of 2 MiB anywhere in a file of as many bytes as the argument says; the same ranges in every run.
local piece = 2 * 1024 * 1024
local blocks = 0

init = function(args)
  blocks = (tonumber(args[1]) - piece) / 4096
  math.randomseed(20261120)
end

request = function()
  local first = math.random(0, blocks) * 4096
  wrk.headers["Range"] = string.format("bytes=%d-%d", first, first + piece - 1)
  return wrk.format("GET")
end

done = function(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.status + summary.errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"bytes":%d,"micros":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end

-- Asks for the paths that stand in a file, one a line, in turn.
local paths = {}
local place = 0

init = function(args)
  for line in io.lines(args[1]) do
    paths[#paths + 1] = line
  end
end

request = function()
  place = place % #paths + 1
  return wrk.format("GET", paths[place])
end

done = function(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.status + summary.errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"bytes":%d,"micros":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end

-- Prints the results of wrk as a line of JSON after the word RESULT.
done = function(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.status + summary.errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"bytes":%d,"micros":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.bytes, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end

-- Requests ranges of 2 MiB anywhere in a file whose size is the argument; the same ranges in every run.
local range_bytes = 2 * 1024 * 1024
local blocks = 0

init = function(args)
  blocks = (tonumber(args[1]) - range_bytes) / 4096
  math.randomseed(20261120)
end

request = function()
  local first = math.random(0, blocks) * 4096
  wrk.headers["Range"] = string.format("bytes=%d-%d", first, first + range_bytes - 1)
  return wrk.format("GET")
end

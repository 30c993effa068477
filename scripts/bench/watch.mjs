// Watches what a process costs. Loaded before a program with `node --import`. SIGUSR2 begins, and the next one writes what was
// seen to the file in WATCH_FILE: CPU of all threads, memory before and at most, and the longest time for which the main thread ran
// nothing else. On a busy machine that time says more about the machine, so on Linux the thread's CPU in it is measured too.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** The main thread is idle between two ticks, unless something blocks it. */
const TICK_MS = 1
const MB = 1024 * 1024
const file = process.env.WATCH_FILE ?? ''

/** CPU of the main thread so far, in milliseconds; 0 where the system does not tell. */
function mainThreadCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

function begin() {
  const cpu = process.cpuUsage()
  const before = process.memoryUsage.rss()
  const longest = { ms: 0, cpuMs: 0, rss: before }
  let [lastMs, lastCpuMs] = [performance.now(), mainThreadCpuMs()]
  const look = () => {
    const [ms, cpuMs] = [performance.now(), mainThreadCpuMs()]
    longest.ms = Math.max(longest.ms, ms - lastMs)
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs - lastCpuMs)
    longest.rss = Math.max(longest.rss, process.memoryUsage.rss())
    ;[lastMs, lastCpuMs] = [ms, cpuMs]
  }
  const timer = setInterval(look, TICK_MS)
  return () => {
    look()
    clearInterval(timer)
    const { user, system } = process.cpuUsage(cpu)
    const seen = {
      cpuMs: (user + system) / 1000,
      beforeMb: before / MB,
      peakMb: longest.rss / MB,
      blockedMs: longest.ms,
      blockedCpuMs: longest.cpuMs,
    }
    // Renamed when it is whole, so that the reader never sees half of it.
    writeFileSync(`${file}.part`, JSON.stringify(seen))
    renameSync(`${file}.part`, file)
  }
}

// A worker thread loads this too.
if (isMainThread && file !== '') {
  let end
  process.on('SIGUSR2', () => {
    if (end === undefined) end = begin()
    else {
      end()
      end = undefined
    }
  })
}

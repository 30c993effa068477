// Loaded before the program (NODE_OPTIONS). Kills the process, as `kill -9` does, right before it does what KILL_AT names for the
// given time: a statement that contains a word, or a function of node:fs. For example `archive_lines:2` or `renameSync:1`.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const [what = '', times = ''] = (process.env.KILL_AT ?? '').split(':')
let left = Number(times)

function killLast() {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

if (what in fs) {
  const original = fs[what]
  fs[what] = (...given) => {
    killLast()
    return original(...given)
  }
  syncBuiltinESMExports()
} else {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (statement, ...more) {
    if (String(statement?.text ?? statement).includes(what)) killLast()
    return query.call(this, statement, ...more)
  }
}

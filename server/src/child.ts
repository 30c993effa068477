// The entry of a process that a supervisor starts. It loads the server and nothing of the command line, which takes a tenth of a second.
import './lib/navigator.ts'
import { serveAsChild } from './cli/process/group/child.ts'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { boundHeap } from './lib/heap.ts'

boundHeap()
serveAsChild(readSettings())

/** The supervisor reads the same settings, and says what is wrong with them. */
function readSettings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.exit(1)
  }
}

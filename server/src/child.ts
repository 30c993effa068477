// The entry of a process that a supervisor starts. It loads the server and nothing of the command line, which takes a tenth of a second.
import './lib/navigator.ts'
import { serveAsChild } from './cli/process/group/child.ts'
import { boundHeap } from './lib/heap.ts'

boundHeap()
serveAsChild(process.env)

// The entry of the command of this package: builds the program, runs it, ends the process with its exit code.
import './lib/navigator.ts'
import { runProgram } from '@cardstock/cli'
import { createProgram } from './cli/program.ts'

await runProgram(createProgram)

// `npm run simulate -- --seed N --seeds M` runs the simulation of server/test/proof/simulation on a private database, and
// exits with 1 if the judge reports a violation or a seed does not repeat itself.
import { runFromCommandLine } from '../server/test/proof/simulation/command.ts'

process.exitCode = await runFromCommandLine(process.argv.slice(2))

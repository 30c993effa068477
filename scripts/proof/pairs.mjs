// `npm run pairs`: lets every pair of changes that touch the same tables meet in every way. `--only <pattern>` takes the calls whose names
// fit, and `--journal <file>` writes each pair as it ends.
import { parseArgs } from 'node:util'
import { runTests } from './run.mjs'

const { values } = parseArgs({ options: { only: { type: 'string' }, journal: { type: 'string' } } })
// All pairs take about a quarter of an hour on two cores.
runTests(['server/test/proof/pairs', '--testTimeout', '7200000'], {
  PAIRS_ALL: 'true',
  ...(values.only === undefined ? {} : { PAIRS_ONLY: values.only }),
  ...(values.journal === undefined ? {} : { PAIRS_JOURNAL: values.journal }),
})

// `npm run bad-input -- --requests 100000 --seed 1`: sends so many bad requests to every call, and prints what was measured.
// `--only <index>` repeats one request of the seed and shows it.
import { parseArgs } from 'node:util'
import { runTests } from './run.mjs'

const { values } = parseArgs({
  options: { requests: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
})
runTests(['server/test/proof/bad-input/requests.test.ts'], {
  BAD_INPUT_REQUESTS: values.requests ?? '20000',
  BAD_INPUT_SEED: values.seed ?? '1',
  ...(values.only === undefined ? {} : { BAD_INPUT_ONLY: values.only }),
})

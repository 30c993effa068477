// `npm run parsers -- --runs 1000000 --seed 7`: tests the properties of every parser with so many inputs each.
import { parseArgs } from 'node:util'
import { runTests } from './run.mjs'

const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } })
runTests(['server/test/proof/bad-input/parsers.test.ts'], {
  PARSER_RUNS: values.runs ?? '1000000',
  ...(values.seed === undefined ? {} : { PARSER_SEED: values.seed }),
})

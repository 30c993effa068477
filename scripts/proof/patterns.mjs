// `npm run patterns`: checks that no regular expression takes more than linear time, and keeps the list of those that were
// found safe, which the tests then skip.
import { runTests } from './run.mjs'

runTests(['server/test/proof/bad-input/patterns.test.ts'], { UPDATE_PATTERNS: '1' })

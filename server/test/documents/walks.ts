// Which test follows which page. A page is followed from its first block to its last, so a new block is run too.

/** Pages about one server that is already running, with its demonstration company. One server serves them all. */
export const GUIDES: readonly string[] = [
  'docs/authentication.md',
  'docs/cli.md',
  'docs/errors.md',
  'docs/funding.md',
  'docs/idempotency.md',
  'docs/operations.md',
  'docs/personal-data.md',
  'docs/rate-limits.md',
  'docs/reviews.md',
  'docs/rotation.md',
  'docs/sandbox.md',
  'docs/statements.md',
  'docs/versioning.md',
  'docs/webhooks.md',
  'examples/README.md',
]

/** Pages that start a server of their own, or several. */
export const WALKS: Readonly<Record<string, string>> = {
  'README.md': 'readme.test.ts',
  'docs/quickstart.md': 'quickstart.test.ts',
  'docs/you-have-a-key.md': 'you-have-a-key.test.ts',
  'docs/backup.md': 'backup.test.ts',
  'docs/go-live-lithic.md': 'go-live-lithic.test.ts',
  'docs/go-live-tron.md': 'go-live-tron.test.ts',
  'docs/live.md': 'live.test.ts',
  'docs/operating.md': 'operating.test.ts',
}

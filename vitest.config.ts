import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'sdk/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    // These only end a test that hangs. The slowest takes about twenty seconds on an idle machine with two cores, and a
    // busy one may be ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As in server/test/support/wait.ts: shorter than a test's limit, so that the error names the condition.
    expect: { poll: { timeout: 240_000, interval: 20 } },
    // One worker per core; the database takes what they leave.
    maxWorkers: 2,
    // Test files keep no state in modules, so they can share them. Loading the server again takes two seconds per file.
    isolate: false,
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'sdk/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['server/test/support/global-setup.ts'],
    // Generous: a shared machine may be slow, and time never decides a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores, of which the database needs one.
    maxWorkers: 2,
  },
})

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
    // Modules keep nothing between tests, so that files can share them: loading the server anew costs two seconds a file.
    isolate: false,
  },
})

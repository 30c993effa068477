// Ends the process with one sentence when this version of Node is not supported. Every entry point imports this file
// first, so that the reader sees the sentence instead of a failed import.
// It must run on any Node that knows ES modules: it imports nothing and uses no recent syntax.

const parts = process.versions.node.split('.').map(Number)
const major = parts[0]
const minor = parts[1]

// "engines" in the package.json files says the same. Node 20.19 is the first release that the hash functions
// (@noble/hashes) support, and 22.12 is the first release of Node 22 that the test runner's bundler supports.
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24

if (!supported) {
  console.error(
    'Node ' +
      process.versions.node +
      ' is too old for Cardstock, which needs Node 20.19, 22.12, 24 or a later release of these: ' +
      'install Node 24 from https://nodejs.org and run the command again.',
  )
  process.exit(1)
}

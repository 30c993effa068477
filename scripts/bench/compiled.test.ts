// The benchmark is not part of the suite, so a file that moved would be noticed only by the next person who measures.
import { expect, test } from 'vitest'
import { loadDeliverer, loadKernel, loadServer } from './compiled.ts'

test('the benchmark finds what it loads from the compiled server', async () => {
  const loaded: Record<string, unknown> = {
    ...(await loadServer()),
    ...(await loadKernel()),
    ...(await loadDeliverer()),
  }
  const names = [
    'createApp',
    'readConfig',
    'createPool',
    'createPipeline',
    'createKeyring',
    'ApiError',
    'createDeliverer',
  ]
  for (const name of names) {
    expect(loaded, name).toHaveProperty(name, expect.any(Function))
  }
})

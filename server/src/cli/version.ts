// The version of this program.
import { readFileSync } from 'node:fs'
import { packagePath } from '../lib/package-path.ts'

export function readVersion(): string {
  const text = readFileSync(packagePath('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

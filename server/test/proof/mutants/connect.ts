// Gives the tests the database that has the mutant.
import type { TestProject } from 'vitest/node'

export default function setup(project: TestProject): void {
  project.provide('connection', JSON.parse(process.env['MUTANT_CONNECTION'] ?? 'null'))
}

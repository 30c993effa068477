// Checks the details of a holder against the fields that the provider asks for. A problem never repeats what was entered. Pure.
import type { HolderDetails, HolderField } from '../provider.ts'

export interface DetailProblem {
  readonly field: string
  readonly message: string
}

/** Names every field that is missing, unknown or malformed at once. */
export function findDetailProblems(fields: readonly HolderField[], details: HolderDetails): DetailProblem[] {
  const known = new Map(fields.map((each) => [each.name, each]))
  const missing = fields.filter(({ name, isRequired }) => isRequired && details[name] === undefined)
  return [
    ...missing.map(({ name, label }) => ({ field: name, message: `${label}: this is missing.` })),
    ...Object.entries(details).flatMap(([name, value]) => {
      const found = known.get(name)
      if (found === undefined) return [{ field: name, message: 'The provider does not ask for this.' }]
      if (new RegExp(found.pattern, 'u').test(value)) return []
      return [{ field: name, message: `${found.label}: this is not in the expected format.` }]
    }),
  ]
}

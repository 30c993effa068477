// Finds statements that name a schema. A role may own only a schema of another name than `public`, so tables and functions are
// found by the search path, which db/reach.ts sets.
import { lineOf, type Problem } from './source.ts'

export function findSchemaNames({ path, text }: { readonly path: string; readonly text: string }): Problem[] {
  if (!/^server\/(?:src\/.*\.ts|sql\/.*\.sql)$/.test(path)) return []
  return [...text.matchAll(/\bpublic\.(?=["\w])/g)].map(({ index }) => ({
    path,
    line: lineOf(text, index),
    message: 'names the schema public; leave it out, because the schema may have another name',
  }))
}

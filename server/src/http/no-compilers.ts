// Keeps the framework from loading compilers of schemas of its own: ours are set before it needs any.

function refuse(): never {
  throw new Error('The compilers of schemas were not set.')
}

export const NO_COMPILERS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }
